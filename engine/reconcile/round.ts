/**
 * What every round derives from its instance: for whom it applies, which kinds it may own, and what its record is about.
 */
import type { Ownership, PruneContext } from "../apply/mod.ts";
import { type GroupVersionKind, type KubeObject, refOf } from "../meta/mod.ts";
import type { RecordOwner } from "../revision/mod.ts";
import { intendedKinds } from "./intent.ts";
import type { Request } from "./reconciler.ts";
import type { Identity, Instance, World } from "./world.ts";

/** The instance of a round. The UID of an object that came from a server is there. */
export function instanceOf(request: Request, object: KubeObject, text: string): Instance {
  return { request, object, text, ref: refOf(object), uid: object.metadata.uid ?? "" };
}

/** For whom, and as whom, this round applies. */
export function makeOwnership(instance: Instance, identity: Identity): Ownership {
  const { implementation, fieldManager, names } = identity;
  return { owner: instance.ref, uid: instance.uid, implementation, fieldManager, names };
}

/**
 * Watches the kinds of which the instance may own objects: those of its record and of this round, and those that the intent on it names. The intent can be
 * edited by whoever may edit the instance, so a kind of it that cannot be watched holds nothing up.
 */
export async function ensureOwnedKinds(
  instance: Instance,
  kinds: readonly GroupVersionKind[],
  { children, identity }: World,
): Promise<void> {
  await children.ensure(kinds);
  await children.ensure(intendedKinds(instance, identity.names.kinds), { optional: true });
}

/** What the record of the instance says of it. */
export function recordOwner(instance: Instance, world: World): RecordOwner {
  const { implementation, source } = world.identity;
  return { ref: instance.ref, plural: world.resource.plural, implementation, source };
}

/** What deleting for a round needs. */
export function pruneContext(ownership: Ownership, world: World, signal: AbortSignal): PruneContext {
  const { client, mapper, children } = world;
  return {
    client,
    mapper,
    ownership,
    beginWrite: (ref) => children.beginWrite(ref),
    live: (ref) => children.get(ref),
    proceed: () => !signal.aborted,
  };
}
