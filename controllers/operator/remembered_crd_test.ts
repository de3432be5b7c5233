/** The CRD that records remember, on the fake API server. */
import assert from "node:assert/strict";
import {
  ApiError,
  CONFIG_MAPS,
  emptyRecord,
  encodeRecord,
  type ObjectRef,
  ownNames,
} from "../../engine/mod.ts";
import { FakeKube } from "../../engine/testing/fake_kube.ts";
import { rememberedCrd } from "./remembered_crd.ts";

const NAMES = ownNames();
const ASKED = { names: NAMES, namespace: "default", source: "folder:mine" };
const THING: ObjectRef = { group: "example.com", version: "v1", kind: "Thing", name: "one" };

async function worldOf(
  ...records: readonly { readonly source: string; readonly ref: ObjectRef }[]
): Promise<FakeKube> {
  const kube = new FakeKube([CONFIG_MAPS]);
  for (const [index, { source, ref }] of records.entries()) {
    const owner = { ref, source, plural: `${ref.kind.toLowerCase()}s`, implementation: "x" };
    const where = { owner, name: `record-${index}`, namespace: "default", names: NAMES, limit: 1 };
    await kube.client.create(CONFIG_MAPS, encodeRecord(emptyRecord("u"), where), { fieldManager: "engine" });
  }
  return kube;
}

Deno.test("the CRD is that of the records that came from this source", async () => {
  const kube = await worldOf(
    { source: "folder:other", ref: { ...THING, kind: "Other" } },
    { source: "folder:mine", ref: THING },
  );
  assert.deepEqual(await rememberedCrd(kube.client, ASKED), {
    group: "example.com",
    version: "v1",
    kind: "Thing",
    plural: "things",
  });
});

Deno.test("a CRD of the core group, too", async () => {
  const kube = await worldOf({ source: "folder:mine", ref: { ...THING, group: "" } });
  assert.equal((await rememberedCrd(kube.client, ASKED))?.group, "");
});

Deno.test("nothing without a record of this source, in this namespace, or with an annotation that can be read", async () => {
  const kube = await worldOf({ source: "folder:other", ref: THING });
  assert.equal(await rememberedCrd(kube.client, ASKED), undefined);
  const mine = await worldOf({ source: "folder:mine", ref: THING });
  assert.equal(await rememberedCrd(mine.client, { ...ASKED, namespace: "kube-system" }), undefined);
  const record = { group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "record-0" };
  const vandal = { metadata: { annotations: { "generic-operator.io/crd": "nonsense" } } };
  await mine.client.patch(CONFIG_MAPS, record, vandal, { fieldManager: "vandal" });
  assert.equal(await rememberedCrd(mine.client, ASKED), undefined);
});

Deno.test("an API server that refuses is an error, not an absent record", async () => {
  const kube = await worldOf();
  kube.intercept = () => {
    throw new ApiError("Down", { code: 0 });
  };
  await assert.rejects(rememberedCrd(kube.client, ASKED), ApiError);
});
