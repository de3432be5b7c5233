/**
 * The text of `implementation.yaml` (or of the older `templates-order.yaml`) becomes an Implementation, with every problem in it.
 *
 * An Implementation comes out in any case, so that what it lists can be checked as well; it is worth something only when
 * there are no problems (`assembleBundle` sees to that).
 */
import { readDocuments, YamlError } from "../yaml/mod.ts";
import type { ConfigProblem } from "./config_error.ts";
import { type ConfigFile, Field, type TextForm } from "./field.ts";
import type { CrdName, Implementation, JobEntry, WatchEntry } from "./model.ts";
import type { SourceOptions } from "./source.ts";

/** Name of the file, on disk and as a key of a ConfigMap. */
export const IMPLEMENTATION_FILE = "implementation.yaml";
/** Name of the older form: just `templates` and `jobs`; the CRD comes from flags. */
export const ORDER_FILE = "templates-order.yaml";

/** What stands in the implementation when a file does not say otherwise. */
export const DEFAULTS = {
  resyncMs: 10 * 3_600_000,
  historyLimit: 100,
  renderMs: 2000,
  outputBytes: 4 * 1024 * 1024,
  jobTimeoutMs: 60_000,
} as const;

/** A file to parse; `name` is for messages and ends in IMPLEMENTATION_FILE or ORDER_FILE. */
export interface ConfigText {
  readonly name: string;
  readonly text: string;
}

/** What came of a file. */
export interface ParsedImplementation {
  readonly implementation: Implementation;
  readonly problems: readonly ConfigProblem[];
  /** Where each listed template stands: whether there is such a template shows only later. */
  readonly places: ReadonlyMap<string, Field>;
}

const TEMPLATE_NAME: TextForm = {
  pattern: /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?\/[A-Za-z0-9_][-._A-Za-z0-9]*$/,
  wanted: "a template name of two parts, `configmap/key` (on disk `folder/file`)",
};
const CRD_FORMS: Readonly<Record<keyof CrdName, TextForm>> = {
  group: {
    pattern: /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/,
    wanted: "the API group in lower case, such as `my-thing.example.com`",
  },
  version: { pattern: /^v[0-9]+([a-z]+[0-9]+)?$/, wanted: "the version, such as `v1` or `v1alpha1`" },
  kind: { pattern: /^[A-Z][A-Za-z0-9]*$/, wanted: "the kind as in `kind:`, such as `MyThing`" },
  plural: { pattern: /^[a-z][-a-z0-9]*$/, wanted: "the plural in lower case, such as `mythings`" },
};
const CRD_KEYS = ["group", "version", "kind", "plural"] as const;
const CRD_EXAMPLE = "crd: {group: my-thing.example.com, version: v1, kind: MyThing, plural: mythings}";
const NAME: TextForm = {
  pattern: /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/,
  wanted: "a name of lower-case letters, digits, `-` and `.`",
};
const IDENTIFIER: TextForm = {
  pattern: /^[A-Za-z_][A-Za-z0-9_]*$/,
  wanted: "a name that a template can use after `watched.`: letters, digits and `_`",
};

const ORDER_KEYS = ["templates", "jobs"] as const;
const KEYS = [
  "name",
  "crd",
  "language",
  "undefined",
  "values",
  "watch",
  ...ORDER_KEYS,
  "status",
  "resync",
  "history",
  "namespaces",
  "limits",
  "options",
] as const;

/** Parses a file; `options.crd` stands above what it says. */
export function parseImplementation(config: ConfigText, options: SourceOptions = {}): ParsedImplementation {
  const older = config.name.endsWith(ORDER_FILE);
  const file = openFile(config);
  const root = new Field(file);
  if (file.document !== undefined) root.allowOnly(older ? ORDER_KEYS : KEYS);
  const crd = readCrd(root, options.crd ?? {}, older);
  const values = root.get("values").texts(TEMPLATE_NAME);
  const templates = root.get("templates").texts(TEMPLATE_NAME);
  if (!root.isAbsent && root.get("templates").isAbsent) {
    root.get("templates").refuse("Is missing; write the list of templates to render, in order");
  }
  const status = root.get("status").text(TEMPLATE_NAME);
  const jobs = readJobs(root.get("jobs"));
  const implementation: Implementation = {
    name: root.get("name").text(NAME) ?? `${crd.plural}.${crd.group}`,
    crd,
    language: root.get("language").oneOf(["jinja2", "nunjucks"]) ?? "jinja2",
    undefined: root.get("undefined").oneOf(["lenient", "strict"]) ?? "lenient",
    values: [...values.keys()],
    watch: readWatch(root.get("watch")),
    templates: [...templates.keys()],
    ...(status === undefined ? {} : { status }),
    jobs: [...jobs.values()].map(({ job }) => job),
    resyncMs: root.get("resync").duration() ?? DEFAULTS.resyncMs,
    history: readHistory(root.get("history")),
    namespaces: [...root.get("namespaces").texts().keys()],
    ...readRendering(root),
  };
  const places = new Map<string, Field>([...templates, ...values]);
  if (status !== undefined) places.set(status, root.get("status"));
  for (const [name, { field }] of jobs) places.set(name, field);
  return { implementation, problems: file.problems, places };
}

/** Adds the templates and jobs of a second file (`--implementation-extra`) behind those of the first. */
export function appendOrder(first: ParsedImplementation, config: ConfigText): ParsedImplementation {
  const file = openFile(config);
  const root = new Field(file);
  if (file.document !== undefined) root.allowOnly(ORDER_KEYS);
  const { implementation } = first;
  const templates = root.get("templates").texts(TEMPLATE_NAME);
  const jobs = readJobs(root.get("jobs"));
  for (const [name, field] of templates) {
    if (implementation.templates.includes(name)) {
      field.refuse(`\`${name}\` is rendered already; take it away here`);
    }
  }
  return {
    implementation: {
      ...implementation,
      templates: [...implementation.templates, ...templates.keys()],
      jobs: [...implementation.jobs, ...[...jobs.values()].map(({ job }) => job)],
    },
    problems: [...first.problems, ...file.problems],
    places: new Map([
      ...templates,
      ...[...jobs].map(([name, { field }]) => [name, field] as const),
      ...first.places,
    ]),
  };
}

function openFile(config: ConfigText): ConfigFile {
  const problems: ConfigProblem[] = [];
  const refuse = (message: string, line?: number) =>
    problems.push({ file: config.name, message, ...(line === undefined ? {} : { line }) });
  try {
    const [document, second] = readDocuments(config.text);
    if (second !== undefined) refuse("Has a second document; everything belongs into the first", second.line);
    if (document !== undefined) return { name: config.name, document, problems };
    refuse("Is empty; write at least `templates:` with a list of template names");
  } catch (cause) {
    if (!(cause instanceof YamlError)) throw cause;
    refuse(`${cause.message} (column ${cause.column})`, cause.line);
  }
  return { name: config.name, problems };
}

function readCrd(root: Field, flags: Partial<CrdName>, older: boolean): CrdName {
  const field = root.get("crd");
  field.allowOnly(CRD_KEYS);
  if (field.isAbsent && !root.isAbsent) {
    refuseMissingCrd(
      root,
      CRD_KEYS.filter((key) => flags[key] === undefined),
      older,
    );
  }
  const part = (key: keyof CrdName): string => {
    const flag = flags[key];
    const written = field.get(key).text(CRD_FORMS[key]);
    if (flag !== undefined) {
      if (!CRD_FORMS[key].pattern.test(flag)) {
        root.refuse(`Flag --crd-${key} is \`${flag}\`: write ${CRD_FORMS[key].wanted}`);
      }
      return flag;
    }
    if (field.isMapping && field.get(key).isAbsent) {
      field.get(key).refuse(`Is missing; write ${CRD_FORMS[key].wanted}, or give the flag --crd-${key}`);
    }
    return written ?? "";
  };
  return { group: part("group"), version: part("version"), kind: part("kind"), plural: part("plural") };
}

/** One problem for the whole CRD, not one for each part of it. */
function refuseMissingCrd(root: Field, parts: readonly (keyof CrdName)[], older: boolean): void {
  if (parts.length === 0) return;
  const flags = parts.map((part) => `--crd-${part}`).join(", ");
  if (older) root.refuse(`Names no CRD; give the flags ${flags}`);
  else {root.get("crd").refuse(
      `Is missing; write \`${CRD_EXAMPLE}\` with the names of your CRD, or give the flags ${flags}`,
    );}
}

function readWatch(field: Field): readonly WatchEntry[] {
  const names = new Set<string>();
  return field.items().flatMap((item) => {
    const optional = ["objectName", "namespace", "labelSelector", "fieldSelector"] as const;
    item.allowOnly(["name", "apiVersion", "kind", ...optional]);
    if (!item.isMapping) return [];
    const required = (key: string, form?: TextForm) => {
      if (item.get(key).isAbsent) {
        item.get(key).refuse("Is missing; every entry of `watch` needs name, apiVersion and kind");
      }
      return item.get(key).text(form) ?? "";
    };
    const name = required("name", IDENTIFIER);
    if (name !== "" && names.has(name)) {
      item.get("name").refuse(`\`${name}\` is taken by another entry; choose another name`);
    }
    names.add(name);
    const entry: WatchEntry = { name, apiVersion: required("apiVersion"), kind: required("kind") };
    const texts = optional.map((key) => [key, item.get(key).text()] as const).filter(([, text]) =>
      text !== undefined
    );
    return [{ ...entry, ...Object.fromEntries(texts) }];
  });
}

function readJobs(list: Field): ReadonlyMap<string, { readonly job: JobEntry; readonly field: Field }> {
  const jobs = new Map<string, { readonly job: JobEntry; readonly field: Field }>();
  for (const item of list.items()) {
    if (item.isMapping) item.allowOnly(["template", "timeout"]);
    const field = item.isMapping ? item.get("template") : item;
    if (field.isAbsent) field.refuse(`Is missing; write ${TEMPLATE_NAME.wanted}`);
    const template = field.text(TEMPLATE_NAME);
    const timeoutMs = item.get("timeout").duration() ?? DEFAULTS.jobTimeoutMs;
    if (template === undefined) continue;
    if (jobs.has(template)) field.refuse(`\`${template}\` is in the list twice; take one away`);
    jobs.set(template, { job: { template, timeoutMs }, field });
  }
  return jobs;
}

function readHistory(field: Field): Implementation["history"] {
  field.allowOnly(["limit", "name"]);
  const name = field.get("name").text();
  return {
    limit: field.get("limit").integer(1) ?? DEFAULTS.historyLimit,
    ...(name === undefined ? {} : { name }),
  };
}

function readRendering(root: Field): Pick<Implementation, "limits" | "options"> {
  const limits = root.get("limits");
  limits.allowOnly(["render", "output"]);
  const options = root.get("options");
  options.allowOnly(["trim_blocks", "lstrip_blocks"]);
  return {
    limits: {
      renderMs: limits.get("render").duration() ?? DEFAULTS.renderMs,
      outputBytes: limits.get("output").bytes() ?? DEFAULTS.outputBytes,
    },
    options: {
      trimBlocks: options.get("trim_blocks").boolean() ?? false,
      lstripBlocks: options.get("lstrip_blocks").boolean() ?? false,
    },
  };
}
