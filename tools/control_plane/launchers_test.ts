/** Which processes count as launchers, with a made-up table of processes. */
import assert from "node:assert/strict";
import { launchersFrom, type ProcessInfo } from "./launchers.ts";

async function chain(
  table: Readonly<Record<number, readonly [parent: number, command: string]>>,
  pid: number,
) {
  const lookUp = (each: number): Promise<ProcessInfo | undefined> => {
    const row = table[each];
    return Promise.resolve(row === undefined ? undefined : { parent: row[0], command: row[1] });
  };
  return await launchersFrom(pid, lookUp);
}

Deno.test("npx, its shell and the task runner count, the shell of the person does not", async () => {
  const table = {
    4: [3, "/root/.npm/_npx/7a/node_modules/deno/deno task controlplane"],
    3: [2, "sh -c 'deno' task controlplane"],
    2: [1, "npm exec deno@2.9.6 task controlplane"],
    1: [0, "-bash"],
  } as const;
  assert.deepEqual(await chain(table, 4), [4, 3, 2]);
});

Deno.test("the parent counts whatever it is, and nothing above it then", async () => {
  assert.deepEqual(await chain({ 5: [4, "bash run.sh"], 4: [1, "npm exec x"] }, 5), [5]);
});

Deno.test("without an answer about processes the parent alone counts", async () => {
  assert.deepEqual(await chain({}, 7), [7]);
});

Deno.test({
  name: "ps is read rightly: this process' own parent is found from a child",
  ignore:
    (await new Deno.Command("sh", { args: ["-c", "command -v ps"], stdout: "null" }).output()).code !== 0,
  fn: async () => {
    const program = `import { launchersFrom } from "${new URL("./launchers.ts", import.meta.url)}";
      console.log(JSON.stringify(await launchersFrom(Deno.ppid)));`;
    const command = new Deno.Command("sh", {
      args: ["-c", `"$@" & wait`, "sh", Deno.execPath(), "eval", program],
    });
    const found: unknown = JSON.parse(new TextDecoder().decode((await command.output()).stdout));
    assert(Array.isArray(found) && found.length >= 2);
    assert.equal(found[1], Deno.pid);
  },
});
