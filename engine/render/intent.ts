/**
 * The keys of a document that begin with `_`: what the template wants done with it. They are checked, and never reach the API server.
 */
import { type Manifest, nearest, parseDuration } from "../meta/mod.ts";
import type { YamlMapping, YamlValue } from "../yaml/mod.ts";

/** What a document's own keys say. */
export type Intent = Pick<Manifest, "action" | "wait" | "keep" | "replace" | "ignore">;

/** Notes something that is wrong with a key. */
export type RefuseKey = (key: string, message: string) => void;

const KEYS = ["_action", "_wait", "_keep", "_replace", "_ignore", "_finalizer", "_no_finalizer"];
const IDENTITY = ["apiVersion", "kind", "metadata", "metadata.name", "metadata.namespace"];

/** Reads the keys that begin with `_`; each that is wrong is refused, and then counts as not there. */
export function readIntent(document: YamlMapping, refuse: RefuseKey): Intent {
  for (const key of Object.keys(document)) {
    if (!key.startsWith("_") || KEYS.includes(key)) continue;
    const near = nearest(key, KEYS);
    const advice = near === undefined ? ";" : `; did you mean \`${near}\`?`;
    refuse(key, `\`${key}\` is no key of the engine${advice} known are ${KEYS.join(", ")}`);
  }
  const of = (key: string) => document[key] ?? undefined;
  for (const key of ["_finalizer", "_no_finalizer"]) readBoolean(key, of(key), refuse);
  return {
    action: readAction(of("_action"), refuse),
    wait: readWait(of("_wait"), refuse),
    keep: readKeep(of("_keep"), refuse),
    replace: readBoolean("_replace", of("_replace"), refuse),
    ignore: readIgnore(of("_ignore"), refuse),
  };
}

function readAction(value: YamlValue | undefined, refuse: RefuseKey): Intent["action"] {
  if (value === undefined || value === "apply" || value === "delete") return value ?? "apply";
  refuse("_action", `\`_action\` is ${shown(value)}; write apply or delete`);
  return "apply";
}

function readWait(value: YamlValue | undefined, refuse: RefuseKey): Intent["wait"] {
  if (value === undefined || value === false) return false;
  if (value === true) return {};
  const timeoutMs = typeof value === "string" ? parseDuration(value) : undefined;
  if (timeoutMs !== undefined && timeoutMs > 0) return { timeoutMs };
  refuse("_wait", `\`_wait\` is ${shown(value)}; write true, false or a duration such as 90s or 5m`);
  return false;
}

function readKeep(value: YamlValue | undefined, refuse: RefuseKey): Intent["keep"] {
  if (value === undefined || value === false) return false;
  if (value === true) return "always";
  if (value === "until-deleted") return value;
  refuse("_keep", `\`_keep\` is ${shown(value)}; write true, false or until-deleted`);
  return false;
}

function readBoolean(key: string, value: YamlValue | undefined, refuse: RefuseKey): boolean {
  if (value === undefined || typeof value === "boolean") return value ?? false;
  refuse(key, `\`${key}\` is ${shown(value)}; write true or false`);
  return false;
}

function readIgnore(value: YamlValue | undefined, refuse: RefuseKey): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    refuse("_ignore", `\`_ignore\` is ${shown(value)}; write a list of paths such as [spec.replicas]`);
    return [];
  }
  return value.flatMap((path: YamlValue) => {
    if (
      typeof path === "string" && path.split(".").every((step) => step !== "") && !IDENTITY.includes(path)
    ) {
      return [path];
    }
    refuse(
      "_ignore",
      `\`_ignore\` holds ${
        shown(path)
      }; write paths such as spec.replicas, and not what the object is found by`,
    );
    return [];
  });
}

/** Keys that begin with `_` hold words of a template's author, never values of a Secret: they may be shown, shortened. */
function shown(value: YamlValue): string {
  if (typeof value === "string") return `\`${value.length > 60 ? `${value.slice(0, 60)}...` : value}\``;
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "a mapping" : `\`${value}\``;
}
