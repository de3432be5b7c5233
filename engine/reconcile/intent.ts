/**
 * The intent, written on the instance before the first effect: our finalizer, and the kinds that it may own.
 *
 * A crash can come between any two requests. With the finalizer the instance cannot vanish unnoticed; with the kinds the next start knows
 * which kinds to watch, and finds by label and identity what a crash kept out of the record. One patch carries both, and it is sent only
 * when the set of kinds grows, or the finalizer is not there.
 */
import type { ReadObject } from "../kube/mod.ts";
import {
  apiVersionOf,
  type GroupVersionKind,
  isBeingDeleted,
  type JsonObject,
  parseApiVersion,
} from "../meta/mod.ts";
import type { Instance, World } from "./world.ts";

/** The kinds that the annotation on an instance names. What cannot be read is passed over. */
export function intendedKinds(instance: Instance, annotation: string): readonly GroupVersionKind[] {
  const text = instance.object.metadata.annotations?.[annotation] ?? "";
  return text.split(",").flatMap((item) => {
    const at = item.lastIndexOf("/");
    return at <= 0 ? [] : [{ ...parseApiVersion(item.slice(0, at)), kind: item.slice(at + 1) }];
  });
}

/** Writes finalizer and kinds when one is missing; answers the instance as it is then. Throws ApiError (a conflict is retried by the queue). */
export async function recordIntent(
  instance: Instance,
  kinds: readonly GroupVersionKind[],
  world: World,
): Promise<Instance> {
  const { names } = world.identity;
  const { finalizers = [] } = instance.object.metadata;
  const intended = new Set(intendedKinds(instance, names.kinds).map(kindText));
  const wanted = [...new Set(kinds.map(kindText))].sort();
  const grows = wanted.some((kind) => !intended.has(kind));
  const isHeld = finalizers.includes(names.finalizer);
  if (!grows && isHeld) return instance;
  const written = await patchMetadata(instance, {
    finalizers: isHeld ? finalizers : [...finalizers, names.finalizer],
    ...(grows ? { annotations: { [names.kinds]: wanted.join(",") } } : {}),
  }, world);
  return { ...instance, object: written.object, text: written.text };
}

/** Takes our finalizer off: the last thing that happens to an instance. */
export async function releaseInstance(instance: Instance, world: World): Promise<void> {
  const { finalizer } = world.identity.names;
  const { finalizers = [] } = instance.object.metadata;
  if (!finalizers.includes(finalizer)) return;
  await patchMetadata(instance, { finalizers: finalizers.filter((one) => one !== finalizer) }, world);
}

/** Patches the very version that was read, and tells the cache; one that is being deleted is gone with its last finalizer. */
async function patchMetadata(instance: Instance, changes: JsonObject, world: World): Promise<ReadObject> {
  const { uid, resourceVersion } = instance.object.metadata;
  const patch = {
    metadata: {
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...changes,
    },
  };
  const { fieldManager } = world.identity;
  const pending = world.instances.beginWrite(instance.request);
  try {
    const written = await world.client.patch(world.resource, instance.ref, patch, { fieldManager });
    if (isBeingDeleted(written.object) && !written.object.metadata.finalizers?.length) pending.gone();
    else pending.done(written);
    return written;
  } catch (error) {
    pending.failed();
    throw error;
  }
}

function kindText(type: GroupVersionKind): string {
  return `${apiVersionOf(type)}/${type.kind}`;
}
