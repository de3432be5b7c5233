/**
 * What a render costs: a template of 100 lines and a set of 10 documents, cold (compiled each time) and warm, in the core and in the cage; and the
 * set for 1,000 instances.
 */
import { CagedRenderer } from "./cage.ts";
import { InProcessRenderer } from "./in_process_renderer.ts";
import { bundleOf, requestFor } from "./testdata/bundle.ts";

const RULES = `[% for rule in spec.rules %]
  - name: [{ rule.name | lower | tojson }]
[%- if rule.cidrs %]
    cidrs:
[%- for cidr in rule.cidrs %]
    - [{ cidr | tojson }]
[%- endfor %]
[%- endif %]
    ports:
[%- for port in rule.ports %]
    - {port: [{ port.port }], protocol: [{ port.protocol | default('TCP') }]}
[%- endfor %]
[%- endfor %]`;

function documentNamed(name: string): string {
  return `apiVersion: v1
kind: ConfigMap
metadata:
  name: [{ prefix }]-${name}
  namespace: [{ spec.project.solution | lower }]
  labels:
[%- for key, value in common.items() %]
    [{ key }]: [{ value | tojson }]
[%- endfor %]
spec:
  enabled: [{ 'true' if spec.enabled else 'false' }]
  rules:${RULES}
`;
}

const ONE = { "a/long.yaml": Array.from({ length: 4 }, (_, n) => documentNamed(`d${n}`)).join("---\n") };
const SET = {
  "v/values.yaml": "prefix: [{ name }]\ncommon: {app: [{ name }], revision: '[{ revision }]'}\n",
  ...Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`a/t${n}.yaml`, documentNamed(`d${n}`)])),
};
const ONE_BUNDLE = bundleOf({ "v/values.yaml": SET["v/values.yaml"], ...ONE }, {
  values: ["v/values.yaml"],
  templates: Object.keys(ONE),
});
const SET_BUNDLE = bundleOf(SET, {
  values: ["v/values.yaml"],
  templates: Object.keys(SET).filter((name) => name.startsWith("a/")),
});

function instance(name: string) {
  const rules = Array.from({ length: 6 }, (_, n) => ({
    name: `Rule-${n}`,
    cidrs: [`10.${n}.0.0/16`, `10.${n}.1.0/24`],
    ports: [{ port: 80 + n }, { port: 443, protocol: "UDP" }],
  }));
  return requestFor(name, { spec: { enabled: true, project: { solution: "Shop" }, rules } });
}

const request = instance("toy");
const core = new InProcessRenderer();
const cage = new CagedRenderer();

Deno.bench("100-line template, cold (compile and render)", { group: "one" }, async () => {
  await core.load(ONE_BUNDLE);
  await core.render(request);
});
Deno.bench("100-line template, warm, 10 times", { group: "one" }, async (b) => {
  await core.load(ONE_BUNDLE);
  b.start();
  for (let n = 0; n < 10; n++) await core.render(request);
  b.end();
});

Deno.bench("10 documents, cold (compile and render)", { group: "set" }, async () => {
  await core.load(SET_BUNDLE);
  await core.render(request);
});
Deno.bench("10 documents, warm, 10 times", { group: "set" }, async (b) => {
  await core.load(SET_BUNDLE);
  b.start();
  for (let n = 0; n < 10; n++) await core.render(request);
  b.end();
});
Deno.bench("10 documents in the cage, warm, 10 times", { group: "set" }, async (b) => {
  await cage.load(SET_BUNDLE);
  b.start();
  for (let n = 0; n < 10; n++) await cage.render(request);
  b.end();
});
Deno.bench(
  "10 documents in the cage, 1,000 instances at once",
  { group: "many", n: 3, warmup: 1 },
  async (b) => {
    await cage.load(SET_BUNDLE);
    const requests = Array.from({ length: 1000 }, (_, n) => instance(`toy-${n}`));
    b.start();
    await Promise.all(requests.map((one) => cage.render(one)));
    b.end();
  },
);
