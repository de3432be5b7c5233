/**
 * What to do about a limit that a template ran into, in the same words for every language.
 */

/** For a render that took too long. `renderMs` is the limit. */
export function timeHint(renderMs: number): string {
  return `the limit is ${renderMs} ms, make the loops smaller or raise \`limits.render\` in implementation.yaml`;
}

/** For a template that prints too much. */
export const OUTPUT_HINT = "print less, or raise `limits.output` in implementation.yaml";
