/**
 * Data becomes YAML text for people: block style, and every text quoted that any reader of YAML might take for something else.
 * `readDocuments` reads it back to the same value.
 */
import { defineScalarTag, dump, DUMP_SCHEMA, NOT_RESOLVED } from "js-yaml";
import { resolvePlain, type ScalarValue } from "./scalar.ts";
import type { YamlValue } from "./value.ts";

/** Integers of both kinds; a text that our own table takes for one (`012`, `0o17`, `1e3`) is quoted. */
const INTEGERS = defineScalarTag<ScalarValue>("tag:yaml.org,2002:int", {
  implicit: true,
  resolve(text) {
    const value = resolvePlain(text);
    return isInteger(value) ? value : NOT_RESOLVED;
  },
  identify: isInteger,
  represent: (value: unknown) => String(value),
});

/** Never printed: comes after all others, and has the texts quoted that only our own table takes for a number (`+_.3`). */
const TAKEN = defineScalarTag<ScalarValue>("!taken", {
  implicit: true,
  resolve(text) {
    const value = resolvePlain(text);
    return typeof value === "string" ? NOT_RESOLVED : value;
  },
  identify: () => false,
});

const SCHEMA = DUMP_SCHEMA.withTags(INTEGERS, TAKEN);

/** Prints one document, with a line end and no `---`. Keys whose value is undefined are left out. */
export function writeYaml(value: YamlValue): string {
  return dump(value, { schema: SCHEMA, lineWidth: -1, noRefs: true, sortKeys: false });
}

function isInteger(value: unknown): boolean {
  return typeof value === "bigint" || Number.isInteger(value);
}
