/**
 * Which templates a template's text names in its `include`, `import`, `from` and `extends` statements.
 *
 * Only literals are seen (`[% include "templates-lib/" ~ name %]` is not): enough to know which further ConfigMaps have to be
 * read, for all keys of a ConfigMap come with it. Whether a template is there is decided when it is rendered.
 */

const STATEMENT = /\[%[-+]?\s*(?:include|import|from|extends)\b(.*?)%\]/gs;
const LITERAL = /(["'])([^"'\n/]+\/[^"'\n/]+)\1/g;

/** Template names of the form `configmap/key`, each once, in order. */
export function referencedTemplates(text: string): readonly string[] {
  const names = new Set<string>();
  for (const [, rest = ""] of text.matchAll(STATEMENT)) {
    for (const [, , name = ""] of rest.matchAll(LITERAL)) names.add(name);
  }
  return [...names];
}
