/**
 * Where built programs and fetched CRDs are kept: a folder of the user's cache, outside the repository, named by a digest
 * of what went into it, so that another version never meets the old files and nothing has to be invalidated.
 *
 * Two runs may start at once (tests and a demo), so whoever fills the cache holds a lock. It is the kernel's own file
 * lock: it is released when the holder dies, however it dies.
 */
import { createHash } from "node:crypto";

/** The text to the person who waits: one line, without an end of line. */
export type Progress = (line: string) => void;

/** The folder of this project in the user's cache: `$XDG_CACHE_HOME` or `$HOME/.cache`, then `generic-operator`. */
export function cacheRoot(): string {
  const base = Deno.env.get("XDG_CACHE_HOME") || `${Deno.env.get("HOME") ?? Deno.cwd()}/.cache`;
  return `${base}/generic-operator`;
}

/** A short name (16 hex digits) for everything that decides what a cached folder holds. */
export function versionsDigest(...parts: readonly string[]): string {
  return createHash("sha256").update(parts.join("\0")).digest("hex").slice(0, 16);
}

/** Whether `path` exists, as a file or as a folder. */
export async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/**
 * Runs `work` while holding the lock file `path` (made when missing, with its folder), and returns what it returns.
 * Says so by `onProgress` when another process or worker holds it, and then waits for as long as that takes.
 */
export async function withLock<T>(path: string, work: () => Promise<T>, onProgress?: Progress): Promise<T> {
  await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  using file = await Deno.open(path, { create: true, write: true });
  if (!await file.tryLock(true)) {
    onProgress?.(`Waiting for another process that holds ${path}`);
    await file.lock(true);
  }
  return await work();
}
