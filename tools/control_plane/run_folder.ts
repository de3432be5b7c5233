/**
 * The temporary folder of one control plane: data, keys, logs. It is locked as long as its owner lives (the kernel drops
 * the lock with the process, however that ends), so the next run can tell what a killed one left behind, and removes it.
 */
import { cacheRoot, withLock } from "./cache.ts";

const PREFIX = "generic-operator-control-plane-";

/** A folder that is this process' own until `remove()`. */
export interface RunFolder {
  readonly path: string;
  /** Removes the folder with all that is in it. */
  remove(): Promise<void>;
}

/** Makes a new folder, after removing those whose owners are gone. */
export async function createRunFolder(): Promise<RunFolder> {
  return await withLock(`${cacheRoot()}/run-folders.lock`, async () => {
    const path = await Deno.makeTempDir({ prefix: PREFIX });
    const lock = await Deno.open(`${path}/.owner`, { create: true, write: true });
    await lock.lock(true);
    await removeAbandoned(path.slice(0, path.lastIndexOf("/")));
    return {
      path,
      remove: async () => {
        await Deno.remove(path, { recursive: true });
        lock.close();
      },
    };
  });
}

async function removeAbandoned(parent: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(parent)) {
    if (!isDirectory || !name.startsWith(PREFIX)) continue;
    const folder = `${parent}/${name}`;
    if (await isAbandoned(folder)) await Deno.remove(folder, { recursive: true }).catch(() => undefined);
  }
}

async function isAbandoned(folder: string): Promise<boolean> {
  try {
    using lock = await Deno.open(`${folder}/.owner`, { write: true });
    return await lock.tryLock(true);
  } catch {
    return false; // another user's, or being removed by its owner just now
  }
}
