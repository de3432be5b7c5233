/** Components, with small shell programs in place of etcd: they start, are waited for, end, and never outlive their owner. */
import assert from "node:assert/strict";
import { exists } from "./cache.ts";
import { Component } from "./component.ts";
import { isRunning } from "./stop_request.ts";

/** A program that writes its process id to `$1` and stays; on SIGTERM it says so and ends. */
const STAYS = `trap 'echo terminated; exit 0' TERM; echo $$ >"$1"; while :; do sleep 0.05; done`;
/** The same, deaf to SIGTERM. */
const DEAF = `trap '' TERM; echo $$ >"$1"; while :; do sleep 0.05; done`;

async function withFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function component(folder: string, script: string): Component {
  const args = ["-c", script, "sh", `${folder}/pid`];
  return new Component({ name: "toy", program: "sh", args, logPath: `${folder}/log` });
}

async function readPid(folder: string): Promise<number | undefined> {
  if (!await exists(`${folder}/pid`)) return undefined;
  const text = await Deno.readTextFile(`${folder}/pid`);
  return text.endsWith("\n") ? Number(text) : undefined;
}

async function startedPid(toy: Component, folder: string): Promise<number> {
  await toy.waitUntil(async () => await readPid(folder) !== undefined, 10_000);
  return await readPid(folder) ?? 0;
}

Deno.test("a component gets SIGTERM, is waited for, and can be started again", async () => {
  await withFolder(async (folder) => {
    const toy = component(folder, STAYS);
    toy.start();
    const first = await startedPid(toy, folder);
    assert(isRunning(first));
    await toy.stop(10_000);
    assert(!isRunning(first));
    assert.equal(await Deno.readTextFile(`${folder}/log`), "terminated\n");
    await Deno.remove(`${folder}/pid`);
    toy.start();
    const second = await startedPid(toy, folder);
    assert.notEqual(second, first);
    await toy.stop(0);
    assert(!isRunning(second));
    await toy.stop(0);
  });
});

Deno.test("a component that does not listen to SIGTERM is killed after the grace time", async () => {
  await withFolder(async (folder) => {
    const toy = component(folder, DEAF);
    toy.start();
    const pid = await startedPid(toy, folder);
    await toy.stop(50);
    assert(!isRunning(pid));
  });
});

Deno.test("waiting ends with the component, with the end of its log", async () => {
  await withFolder(async (folder) => {
    const toy = component(folder, "echo 'port is taken' >&2; exit 3");
    toy.start();
    await assert.rejects(
      toy.waitUntil(() => Promise.resolve(false), 10_000),
      /toy ended with code 3; its log ends with:\nport is taken/,
    );
    await toy.stop(0);
  });
});

Deno.test("waiting ends when the time is up", async () => {
  await withFolder(async (folder) => {
    const toy = component(folder, STAYS);
    toy.start();
    await startedPid(toy, folder);
    await assert.rejects(toy.waitUntil(() => Promise.resolve(false), 1), /toy was not ready after 0\.001 s/);
    await toy.stop(0);
  });
});

Deno.test("a component ends when its owner is killed by SIGKILL", async () => {
  await withFolder(async (folder) => {
    const program = `import { Component } from "${new URL("./component.ts", import.meta.url)}";
      const args = ["-c", ${JSON.stringify(DEAF)}, "sh", ${JSON.stringify(`${folder}/pid`)}];
      new Component({ name: "toy", program: "sh", args, logPath: ${
      JSON.stringify(`${folder}/log`)
    } }).start();
      setInterval(() => {}, 1000);`;
    const owner = new Deno.Command(Deno.execPath(), { args: ["eval", program] }).spawn();
    const pid = await poll(() => readPid(folder));
    assert(isRunning(pid));
    owner.kill("SIGKILL");
    await owner.status;
    await poll(() => Promise.resolve(isRunning(pid) ? undefined : true));
  });
});

async function poll<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 400; tries++) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("What the test waits for did not come within 10 s");
}
