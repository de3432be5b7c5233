/** Temporary folders: the next one to start removes what a killed owner left, and nothing that is in use. */
import assert from "node:assert/strict";
import { exists } from "./cache.ts";
import { createRunFolder } from "./run_folder.ts";

Deno.test("a folder in use stays, an abandoned one goes", async () => {
  const program = `import { createRunFolder } from "${new URL("./run_folder.ts", import.meta.url)}";
    console.log((await createRunFolder()).path); Deno.kill(Deno.pid, "SIGKILL");`;
  const used = await createRunFolder();
  try {
    const killed = await new Deno.Command(Deno.execPath(), { args: ["eval", program] }).output();
    const abandoned = new TextDecoder().decode(killed.stdout).trim();
    assert(await exists(abandoned));
    const next = await createRunFolder();
    assert(!await exists(abandoned));
    assert(await exists(used.path));
    await next.remove();
    assert(!await exists(next.path));
  } finally {
    await used.remove();
  }
});
