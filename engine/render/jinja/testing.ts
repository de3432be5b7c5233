/** Short ways to render one template; tests only. */
import { compileTemplates, type JinjaOptions } from "./environment.ts";
import { TemplateError } from "./errors.ts";
import { fromJson, PyDict } from "./values/mod.ts";

/** What a test gives besides the template. */
export interface RenderSetup extends JinjaOptions {
  readonly context?: Readonly<Record<string, unknown>>;
  /** Other templates by name. */
  readonly templates?: Readonly<Record<string, string>>;
}

/** The text of a template that is called `main`. */
export function render(template: string, setup: RenderSetup = {}): string {
  const { context = {}, templates = {}, ...options } = setup;
  const values = fromJson(JSON.stringify(context));
  if (!(values instanceof PyDict)) throw new TypeError("The context is no mapping");
  return compileTemplates(new Map([...Object.entries(templates), ["main", template]]), options)
    .render("main", values).text;
}

/** The error of a template that has to fail. */
export function renderFailure(template: string, setup: RenderSetup = {}): TemplateError {
  try {
    render(template, setup);
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error(`The template did not fail: ${template}`);
}
