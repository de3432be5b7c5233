/**
 * Helm's and plain Jinja2's delimiters are `{{ }}`; here they are `[{ }]`, and `{{` is printed as it stands. YAML then reads mappings within
 * mappings, and what it complains of is not what the author did wrong.
 */
import type { RenderProblem } from "./render_error.ts";

/** Advice for a problem of kind `yaml` on a template line with `{{` or `{%` outside of quotes; undefined for all others. */
export function foreignBracesHint({ kind }: RenderProblem, sourceLine: string): string | undefined {
  if (kind !== "yaml") return undefined;
  const [, inner] = /^[^"'#]*?\{([{%])/.exec(sourceLine) ?? [];
  if (inner === undefined) return undefined;
  return inner === "{"
    ? "prints are `[{ name }]` here, not `{{ name }}`"
    : "statements are `[% if name %]` here, not `{% if name %}`";
}
