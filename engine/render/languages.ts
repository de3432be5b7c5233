/**
 * The languages that an implementation may choose.
 */
import type { Implementation } from "../implementation/mod.ts";
import { JINJA_LANGUAGE } from "./jinja_language.ts";
import type { TemplateLanguage } from "./language.ts";
import { RenderError } from "./render_error.ts";

/** The language of this name. Throws `RenderError` for one that is not built in. */
export function languageNamed(name: Implementation["language"]): TemplateLanguage {
  if (name === "jinja2") return JINJA_LANGUAGE;
  throw new RenderError([{
    kind: "syntax",
    message: `The language ${name} is not there; write language: jinja2`,
  }]);
}
