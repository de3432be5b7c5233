/** The built-in tests of Jinja2, by name: what stands behind `is`. */
import type { Test } from "../values/mod.ts";
import { comparisonTests } from "./comparison.ts";
import { numberTests } from "./number.ts";
import { typeTests } from "./type.ts";

/** Every built-in test. */
export const tests: ReadonlyMap<string, Test> = new Map(
  [...comparisonTests, ...numberTests, ...typeTests].map((test) => [test.name, test]),
);
