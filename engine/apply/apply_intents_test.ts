/** `_replace` and `_ignore`: what they send when an immutable field changes, and who owns what is left to others. */
import assert from "node:assert/strict";
import { ConflictError, InvalidError } from "../kube/mod.ts";
import { type KubeObject, refOf } from "../meta/mod.ts";
import { Applying, CONFIG_MAPS, SOMEBODY, told } from "../testing/applying.ts";
import { configMap, manifest } from "../testing/builders.ts";

const ONE = configMap("one", "default");
const OTHER = configMap("one", "default", { b: "2" });
const IGNORING = { ignore: ["data.a"] };

/** A world with ONE in it, where an apply that would change it is refused as an API server refuses immutable fields. */
async function immutable(): Promise<Applying> {
  const world = new Applying();
  await world.round(manifest(ONE));
  world.kube.intercept = ({ verb, subject }) => {
    if (verb !== "apply" || world.kube.stored(refOf(ONE))?.data === undefined) return;
    throw new InvalidError(`Apply of ${subject} was refused: field is immutable`, {
      code: 422,
      reason: "Invalid",
      causes: [{ field: "spec.selector", message: 'Invalid value: {"a":"b"}: field is immutable' }],
    });
  };
  return world;
}

function managers(object: KubeObject): readonly string[] {
  return object.metadata.managedFields?.flatMap(({ manager, fieldsV1 }) =>
    Object.keys(Object(fieldsV1?.["f:data"])).map((field) => `${manager} ${field}`)
  ) ?? [];
}

Deno.test("an immutable field that changes is a failure; with `_replace` the object is deleted and made again", async () => {
  const world = await immutable();
  const { metadata: { uid } } = world.stored(ONE);
  assert.deepEqual(told(await world.round(manifest(OTHER))), ["failed one Invalid"]);
  assert.equal(world.stored(ONE).metadata.uid, uid);

  const outcome = await world.round(manifest(OTHER, { replace: true }));
  assert.deepEqual(world.sent(), ["apply one", "delete one", "apply one"]);
  assert.deepEqual(told(outcome), ["created one"]);
  assert.notEqual(world.stored(ONE).metadata.uid, uid);
  assert.deepEqual(outcome.inventory.map((entry) => entry.uid), [world.stored(ONE).metadata.uid]);
});

Deno.test("`_replace` of one that goes slowly: made again in the round that sees it gone, and that is no repair", async () => {
  const world = await immutable();
  const hold = (finalizers: readonly string[]) =>
    world.kube.client.patch(CONFIG_MAPS, refOf(ONE), { metadata: { finalizers } }, SOMEBODY);
  await hold(["acme.example/x"]);
  const replacing = manifest(OTHER, { replace: true });
  const first = await world.round(replacing);
  assert.deepEqual(told(first), ["skipped one Replacing"]);
  assert.equal(first.complete, false);
  assert.deepEqual(told(await world.round(replacing)), ["skipped one Terminating"]);
  assert.deepEqual(world.sent(), []);

  await hold([]);
  const last = await world.round(replacing);
  assert.deepEqual(told(last), ["created one"]);
  assert.equal(last.changes[0]?.against, undefined);
  assert.deepEqual(world.stored(ONE).data, { b: "2" });
});

Deno.test("a delete for `_replace` that is refused is a failure, and the caches hear the end of it", async () => {
  const world = await immutable();
  const { intercept } = world.kube;
  world.kube.intercept = (call) => {
    if (call.verb === "delete") throw new ConflictError("Not now", { code: 409, reason: "Conflict" });
    return intercept(call);
  };
  assert.deepEqual(told(await world.round(manifest(OTHER, { replace: true }))), ["failed one Conflict"]);
});

Deno.test("another refusal than of an immutable field does not replace", async () => {
  const world = new Applying();
  await world.round(manifest(ONE));
  world.kube.intercept = ({ verb }) => {
    if (verb !== "apply") return;
    throw new InvalidError('data.b: Invalid value: "field is immutable": too long', {
      code: 422,
      reason: "Invalid",
      causes: [{ field: "data.b", message: 'Invalid value: "field is immutable": too long' }],
    });
  };
  assert.deepEqual(told(await world.round(manifest(OTHER, { replace: true }))), ["failed one Invalid"]);
  assert.deepEqual(world.sent(), ["apply one"]);
});

Deno.test("`_ignore`: a second field manager sets it at creation, and others may have it then", async () => {
  const world = new Applying();
  const wanted = configMap("one", "default", { a: "1", b: "2" });
  await world.round(manifest(wanted, IGNORING));
  assert.deepEqual(world.sent(), ["apply one", "apply one as engine/initial"]);
  assert.deepEqual(world.stored(ONE).data, { a: "1", b: "2" });
  assert.deepEqual(managers(world.stored(ONE)), ["engine f:b", "engine/initial f:a"]);

  await world.kube.client.patch(CONFIG_MAPS, refOf(ONE), { data: { a: "9" } }, SOMEBODY);
  assert.deepEqual(told(await world.round(manifest(wanted, IGNORING))), ["unchanged one"]);
  const changed = configMap("one", "default", { a: "1", b: "3" });
  assert.deepEqual(told(await world.round(manifest(changed, IGNORING))), ["configured one"]);
  assert.deepEqual(world.stored(ONE).data, { a: "9", b: "3" });
});

Deno.test("a field that was ours and is to be left to others does not vanish on the way", async () => {
  const world = new Applying();
  const both = configMap("one", "default", { a: "1", b: "2" });
  await world.round(manifest(both));
  await world.round(manifest(both, IGNORING));
  assert.deepEqual(world.sent(), ["apply one as engine/initial", "apply one"]);
  assert.deepEqual(world.stored(ONE).data, { a: "1", b: "2" });
  assert.deepEqual(managers(world.stored(ONE)), ["engine f:b", "engine/initial f:a"]);
});

Deno.test("an initial value that is refused is a failure of its object", async () => {
  const world = new Applying();
  world.kube.intercept = ({ fieldManager }) => {
    if (fieldManager === "engine/initial") {
      throw new InvalidError("Too large", { code: 422, reason: "Invalid" });
    }
  };
  assert.deepEqual(told(await world.round(manifest(ONE, IGNORING))), ["failed one Invalid"]);
});
