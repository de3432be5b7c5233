import assert from "node:assert/strict";
import { filters } from "./mod.ts";

Deno.test("every built-in filter of Jinja2 3.1 is there", () => {
  const names =
    "abs attr batch capitalize center count d default dictsort e escape filesizeformat first float forceescape format groupby " +
    "indent int items join last length list lower map max min pprint random reject rejectattr replace reverse round safe select selectattr " +
    "slice sort string striptags sum title tojson trim truncate unique upper urlencode urlize wordcount wordwrap xmlattr";
  assert.equal([...filters.keys()].sort().join(" "), names);
});
