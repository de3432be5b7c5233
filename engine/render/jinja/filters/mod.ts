/** The built-in filters of Jinja2, by name. */
import type { Filter } from "../values/mod.ts";
import { htmlFilters } from "./html.ts";
import { jsonFilters } from "./json.ts";
import { numberFilters } from "./number.ts";
import { objectFilters } from "./object.ts";
import { orderFilters } from "./order.ts";
import { selectFilters } from "./select.ts";
import { sequenceFilters } from "./sequence.ts";
import { textFilters } from "./text.ts";
import { urlFilters } from "./url.ts";

/** Every built-in filter. */
export const filters: ReadonlyMap<string, Filter> = new Map(
  [
    ...htmlFilters,
    ...jsonFilters,
    ...numberFilters,
    ...objectFilters,
    ...orderFilters,
    ...selectFilters,
    ...sequenceFilters,
    ...textFilters,
    ...urlFilters,
  ].map((filter) => [filter.name, filter]),
);
