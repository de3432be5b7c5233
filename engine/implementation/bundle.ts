/**
 * A parsed implementation and the texts that were read become one bundle, or a refusal with everything that is wrong.
 */
import { digestOf } from "../meta/mod.ts";
import { ConfigError, type ConfigProblem } from "./config_error.ts";
import { type Bundle, listedTemplates } from "./model.ts";
import type { ParsedImplementation } from "./parse.ts";

/**
 * Puts a bundle together. Throws `ConfigError` when there is any
 * problem at all, so that a bundle is whole or not there.
 */
export function assembleBundle(
  parsed: ParsedImplementation,
  sources: ReadonlyMap<string, string>,
): Bundle {
  const missing = listedTemplates(parsed.implementation).filter((name) => !sources.has(name));
  const all = [
    ...parsed.problems,
    ...missing.map((name) => missingTemplate(parsed, name, sources)),
  ];
  if (all.length > 0) throw new ConfigError(all);
  const { implementation } = parsed;
  return { implementation, sources, digest: digestOf([implementation, Object.fromEntries(sources)]) };
}

function missingTemplate(
  parsed: ParsedImplementation,
  name: string,
  sources: ReadonlyMap<string, string>,
): ConfigProblem {
  const folder = name.slice(0, name.indexOf("/") + 1);
  const siblings = [...sources.keys()].filter((other) => other.startsWith(folder)).map((other) =>
    other.slice(folder.length)
  );
  const there = siblings.length === 0
    ? `there is no \`${folder.slice(0, -1)}\`, or it is empty`
    : `\`${folder.slice(0, -1)}\` has ${siblings.sort().join(", ")}`;
  const message = `Template \`${name}\` does not exist; ${there}`;
  return parsed.places.get(name)?.problem(message) ?? { file: parsed.implementation.name, message };
}
