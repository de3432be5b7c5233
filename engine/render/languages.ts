/**
 * The languages that an implementation may choose.
 *
 * nunjucks is loaded when it is asked for: who writes Jinja2 pays nothing for it.
 */
import type { Implementation } from "../implementation/mod.ts";
import { JINJA_LANGUAGE } from "./jinja_language.ts";
import type { TemplateLanguage } from "./language.ts";

/** The language of this name. */
export async function languageNamed(name: Implementation["language"]): Promise<TemplateLanguage> {
  switch (name) {
    case "jinja2":
      return JINJA_LANGUAGE;
    case "nunjucks":
      return (await import("./nunjucks_language.ts")).NUNJUCKS_LANGUAGE;
  }
}
