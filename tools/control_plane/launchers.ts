/**
 * The processes that only stand between a person (or a script) and this program: `npx deno task` is npm, a shell, Deno's
 * task runner and then the program. When npm is killed nobody tells the ones below it, so the program has to look.
 */

/** What there is to know of a process. */
export interface ProcessInfo {
  readonly parent: number;
  /** The command line. */
  readonly command: string;
}

const LAUNCHERS = ["npm", "npx", "node", "deno", "sh"];

/**
 * The launchers above a process, nearest first, up to the first process that is something else. `parent` is the
 * process' parent; it counts in any case. `lookUp` answers for a process id, undefined when it cannot.
 */
export async function launchersFrom(
  parent: number,
  lookUp: (pid: number) => Promise<ProcessInfo | undefined> = askPs,
): Promise<readonly number[]> {
  const chain = [parent];
  for (let pid = parent;;) {
    const info = await lookUp(pid);
    if (info === undefined || !isLauncher(info.command)) break;
    const above = await lookUp(info.parent);
    if (above === undefined || !isLauncher(above.command)) break;
    chain.push(info.parent);
    pid = info.parent;
  }
  return chain;
}

function isLauncher(command: string): boolean {
  const [program = ""] = command.split(" ");
  return LAUNCHERS.includes(program.slice(program.lastIndexOf("/") + 1));
}

async function askPs(pid: number): Promise<ProcessInfo | undefined> {
  const args = ["-o", "ppid=", "-o", "args=", "-p", `${pid}`];
  try {
    const output = await new Deno.Command("ps", { args, stderr: "null" }).output();
    const match = /^\s*(\d+)\s+(.*)/.exec(new TextDecoder().decode(output.stdout));
    return match === null ? undefined : { parent: Number(match[1]), command: match[2] ?? "" };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined; // no ps here: the parent alone has to do
    throw error;
  }
}
