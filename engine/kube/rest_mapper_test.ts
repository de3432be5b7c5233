import assert from "node:assert/strict";
import { ApiError, NoMatchError, NotServedError } from "./errors.ts";
import { DiscoveryRestMapper } from "./rest_mapper.ts";
import type { ApiRequest } from "./transport.ts";

interface Widget {
  readonly version: string;
  readonly kind?: string;
  /** Its server does not answer: the version is known, and nothing else. */
  readonly stale?: true;
}

/** A discovery that tests change while it is used. */
class FakeDiscovery {
  widgets: readonly Widget[] = [];
  failure: Error | undefined;
  readings = 0;
  /** The answer to a path that nobody serves. */
  lost: Error = new NotServedError("404 page not found", { code: 404 });
  readonly lostPaths: string[] = [];

  request = async ({ path }: ApiRequest): Promise<string> => {
    await Promise.resolve();
    if (path === "/api") {
      this.readings++;
      if (this.failure !== undefined) throw this.failure;
      const pods = { resource: "pods", responseKind: { kind: "Pod" }, scope: "Namespaced", verbs: ["get"] };
      return list([{ versions: [{ version: "v1", resources: [pods] }] }]);
    }
    if (path !== "/apis") {
      this.lostPaths.push(path);
      throw this.lost;
    }
    const versions = this.widgets.map(({ version, kind = "Widget", stale }) => ({
      version,
      freshness: stale ? "Stale" : "Current",
      ...stale ? {} : {
        resources: [
          {
            resource: "widgets",
            responseKind: { kind },
            scope: "Cluster",
            subresources: [{ subresource: "status" }],
          },
          { resource: "nameless", responseKind: { group: "", version: "", kind: "" } },
        ],
      },
    }));
    return list(versions.length === 0 ? [] : [{ metadata: { name: "x.io" }, versions }]);
  };
}

function list(items: readonly unknown[]): string {
  return JSON.stringify({ kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2", items });
}

const WIDGET = { group: "x.io", version: "v1", kind: "Widget" };
const POD = { group: "", version: "v1", kind: "Pod" };

Deno.test("kinds become resources, and are read once", async () => {
  const discovery = new FakeDiscovery();
  discovery.widgets = [{ version: "v1" }];
  const mapper = new DiscoveryRestMapper(discovery);
  const [widget, pod] = await Promise.all([mapper.resourceFor(WIDGET), mapper.resourceFor(POD)]);
  assert.deepEqual(widget, {
    ...WIDGET,
    plural: "widgets",
    namespaced: false,
    subresources: ["status"],
    verbs: [],
  });
  assert.deepEqual(pod, { ...POD, plural: "pods", namespaced: true, subresources: [], verbs: ["get"] });
  assert.equal(discovery.readings, 1);
});

Deno.test("a miss reads again, shared by all who miss, but not again at once", async () => {
  let now = 0;
  const discovery = new FakeDiscovery();
  const mapper = new DiscoveryRestMapper(discovery, { now: () => now });
  await mapper.resourceFor(POD);
  await assert.rejects(mapper.resourceFor(WIDGET), NoMatchError);
  assert.equal(discovery.readings, 1);
  now = 1999;
  await assert.rejects(mapper.resourceFor(WIDGET), NoMatchError);
  assert.equal(discovery.readings, 1);
  discovery.widgets = [{ version: "v1" }];
  now = 2000;
  const found = await Promise.all(Array.from({ length: 50 }, () => mapper.resourceFor(WIDGET)));
  assert.ok(found.every((resource) => resource.plural === "widgets"));
  assert.equal(discovery.readings, 2);
});

Deno.test("after invalidate the next question reads again", async () => {
  const discovery = new FakeDiscovery();
  discovery.widgets = [{ version: "v1" }];
  const mapper = new DiscoveryRestMapper(discovery, { now: () => 0 });
  await mapper.resourceFor(WIDGET);
  discovery.widgets = [];
  mapper.invalidate();
  await assert.rejects(mapper.resourceFor(WIDGET), NoMatchError);
  assert.equal(discovery.readings, 2);
});

Deno.test("a reading that fails takes nothing away", async () => {
  let now = 0;
  const discovery = new FakeDiscovery();
  discovery.failure = new ApiError("Down", { code: 0 });
  const mapper = new DiscoveryRestMapper(discovery, { now: () => now });
  await assert.rejects(mapper.resourceFor(POD), /Down/);
  discovery.failure = undefined;
  await mapper.resourceFor(POD);
  discovery.failure = new ApiError("Down again", { code: 0 });
  now = 5000;
  await assert.rejects(mapper.resourceFor(WIDGET), /Down again/);
  assert.equal((await mapper.resourceFor(POD)).plural, "pods");
});

Deno.test("a miss says what there is instead", async () => {
  const discovery = new FakeDiscovery();
  discovery.widgets = [{ version: "v1" }, { version: "v2", kind: "Gadget" }];
  const mapper = new DiscoveryRestMapper(discovery);
  const cases = [
    [{ ...WIDGET, version: "v2" }, "no Widget of x.io/v2; it serves Widget.x.io as x.io/v1"],
    [{ ...WIDGET, kind: "Pod" }, "no Pod of x.io/v1; a Pod is served by v1"],
    [{ ...WIDGET, kind: "Wodget" }, "no Wodget of x.io/v1; kinds of x.io: Gadget, Widget"],
    [
      { ...WIDGET, group: "y.io" },
      'no Widget of y.io/v1: no API group "y.io" is served; is its CRD installed?',
    ],
  ] as const;
  for (const [type, words] of cases) {
    await assert.rejects(mapper.resourceFor(type), new NoMatchError(`The API server serves ${words}`));
  }
});

Deno.test("a server without aggregated discovery is told apart", async () => {
  const mapper = new DiscoveryRestMapper({ request: () => Promise.resolve('{"kind":"APIVersions"}') });
  await assert.rejects(mapper.resourceFor(POD), /Kubernetes 1\.27 or newer is needed/);
});

Deno.test("what is owned is found in the preferred version that is served, and is not there only when none is", async () => {
  const discovery = new FakeDiscovery();
  discovery.widgets = [{ version: "v2" }, { version: "v1beta1" }];
  const mapper = new DiscoveryRestMapper(discovery, { restMs: 0 });
  await assert.rejects(mapper.resourceFor(WIDGET), NoMatchError);
  assert.equal((await mapper.servedAs(WIDGET))?.version, "v2");
  assert.equal((await mapper.servedAs({ ...WIDGET, version: "v1beta1" }))?.version, "v2");
  assert.deepEqual(discovery.lostPaths, []);
  discovery.widgets = [{ version: "v1", kind: "Gadget" }];
  mapper.invalidate();
  assert.equal(await mapper.servedAs(WIDGET), undefined);
  assert.deepEqual(discovery.lostPaths, ["/apis/x.io/v1"]);
});

Deno.test("while whoever serves a group does not answer, what its discovery lacks may be there", async () => {
  const discovery = new FakeDiscovery();
  discovery.widgets = [{ version: "v1", stale: true }];
  const mapper = new DiscoveryRestMapper(discovery, { restMs: 0 });
  const why = /Discovery of group x\.io is incomplete: whoever serves x\.io\/v1 does not answer/;
  await assert.rejects(
    mapper.servedAs(WIDGET),
    (error) => error instanceof ApiError && why.test(error.message),
  );
  await assert.rejects(mapper.resourceFor(WIDGET), why);
  discovery.widgets = [{ version: "v1", stale: true }, { version: "v2" }];
  assert.equal((await mapper.servedAs(WIDGET))?.version, "v2");
  assert.equal(await mapper.servedAs({ ...WIDGET, group: "y.io" }), undefined, "another group is whole");
});

Deno.test("an API server that is still starting is not believed", async () => {
  const discovery = new FakeDiscovery();
  discovery.lost = new ApiError("Made before all known HTTP paths have been installed", { code: 503 });
  const mapper = new DiscoveryRestMapper(discovery, { restMs: 0 });
  await assert.rejects(mapper.servedAs(WIDGET), /before all known HTTP paths/);
  await assert.rejects(mapper.resourceFor(WIDGET), NoMatchError);
});
