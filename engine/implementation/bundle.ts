/**
 * A parsed implementation and the texts that were read become one bundle, or a refusal with everything that is wrong.
 */
import { digestOf } from "../meta/mod.ts";
import { ConfigError, type ConfigProblem } from "./config_error.ts";
import { type Bundle, listedTemplates } from "./model.ts";
import type { ParsedImplementation } from "./parse.ts";

/**
 * Puts a bundle together. Throws `ConfigError` when there is any
 * problem at all, so that a bundle is whole or not there. `whyNothingIn` tells why no text came from the first part of a name.
 */
export function assembleBundle(
  parsed: ParsedImplementation,
  sources: ReadonlyMap<string, string>,
  whyNothingIn = (folder: string) => `there is no folder \`${folder}\`, or it is empty`,
): Bundle {
  const missing = listedTemplates(parsed.implementation).filter((name) => !sources.has(name));
  const all = [...parsed.problems, ...missingTemplates(parsed, missing, { sources, whyNothingIn })];
  if (all.length > 0) throw new ConfigError(all);
  const { implementation } = parsed;
  return { implementation, sources, digest: digestOf([implementation, Object.fromEntries(sources)]) };
}

interface Found {
  readonly sources: ReadonlyMap<string, string>;
  readonly whyNothingIn: (folder: string) => string;
}

/** A problem for each template; where nothing at all came from a folder or ConfigMap, one for all that are to come from it. */
function missingTemplates(
  parsed: ParsedImplementation,
  missing: readonly string[],
  { sources, whyNothingIn }: Found,
): readonly ConfigProblem[] {
  const problem = (name: string, message: string): ConfigProblem =>
    parsed.places.get(name)?.problem(message) ?? { file: parsed.implementation.name, message };
  return [...Map.groupBy(missing, folderOf)].flatMap(([folder, names]) => {
    const siblings = [...sources.keys()].filter((name) => folderOf(name) === folder);
    if (siblings.length > 0) {
      const there = siblings.map((name) => name.slice(folder.length + 1)).sort().join(", ");
      return names.map((name) =>
        problem(name, `Template \`${name}\` does not exist; \`${folder}\` has ${there}`)
      );
    }
    const [first = "", ...others] = names;
    const does = others.length === 0 ? "does" : `and ${others.length} more of \`${folder}\` do`;
    return [problem(first, `Template \`${first}\` ${does} not exist; ${whyNothingIn(folder)}`)];
  });
}

function folderOf(name: string): string {
  return name.slice(0, name.indexOf("/"));
}
