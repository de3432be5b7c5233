/**
 * Renders an instance, and decides whether that makes a new revision.
 *
 * Templates see the revision, and the revision depends on what they print: so the current one is rendered first, and only when its outcome
 * differs, and the spec or the bundle did too, the next one is made and rendered. A change of something watched alone changes objects, but is no
 * revision.
 */
import type { Bundle } from "../implementation/mod.ts";
import { digestOf, formatTime, isJsonObject } from "../meta/mod.ts";
import type { Rendered, RenderRequest } from "../render/mod.ts";
import { changesSince, type HistoryEntry, type InstanceRecord } from "../revision/mod.ts";
import type { Instance, World } from "./world.ts";

/** What was rendered, and the record as it is to be once that is applied (inventory, previous values and history's result still to come). */
export interface RenderedRound {
  readonly rendered: Rendered;
  readonly request: RenderRequest;
  readonly record: InstanceRecord;
}

/** Renders. Throws RenderError: then nothing may be written for this instance. */
export async function renderRound(
  instance: Instance,
  record: InstanceRecord,
  bundle: Bundle,
  world: World,
): Promise<RenderedRound> {
  const requestFor = (revision: number, revisionTimestamp: string): RenderRequest => ({
    instance: instance.text,
    engine: {
      revision,
      revisionTimestamp,
      crd: bundle.implementation.crd,
      operator: world.identity.operator,
      shutdown: false,
    },
    watched: "{}",
    previous: record.previous,
  });
  const specDigest = digestOf(instance.object.spec ?? null);
  // A record of an earlier instance of this name: its numbers go on, its revisions are not ours.
  const isFirst = record.uid !== instance.uid || record.revision === 0;
  if (!isFirst) {
    const request = requestFor(record.revision, record.revisionTimestamp);
    const rendered = await world.renderer.render(request);
    const sameInputs = specDigest === record.specDigest && bundle.digest === record.bundleDigest;
    if (sameInputs || rendered.digest === record.outcomeDigest) {
      // With something watched, or with the values before, the same spec and bundle come to something else: no revision, but what the next is compared with.
      return { rendered, request, record: { ...record, outcomeDigest: rendered.digest } };
    }
  }
  const revisionTimestamp = formatTime(world.now());
  const revision = Math.max(record.revision, revisionInStatus(instance)) + 1;
  const request = requestFor(revision, revisionTimestamp);
  const rendered = await world.renderer.render(request);
  const entry: HistoryEntry = {
    revision,
    time: revisionTimestamp,
    generation: instance.object.metadata.generation ?? 0,
    cause: isFirst ? "created" : specDigest === record.specDigest ? "templates" : "spec",
    // Who wrote the spec last did not change the templates.
    by: specDigest === record.specDigest && !isFirst ? [] : specWriters(instance),
    changes: isFirst ? [] : changesSince(record, instance.object.spec),
    bundle: bundle.digest,
    outcome: rendered.digest,
    counts: {},
    result: "",
  };
  return {
    rendered,
    request,
    record: {
      ...record,
      uid: instance.uid,
      revision,
      revisionTimestamp,
      specDigest,
      bundleDigest: bundle.digest,
      outcomeDigest: rendered.digest,
      spec: instance.object.spec,
      history: [...record.history, entry],
    },
  };
}

/** A record that was lost must not make revisions that were shown before start anew. */
function revisionInStatus(instance: Instance): number {
  const { status } = instance.object;
  return isJsonObject(status) && typeof status.revision === "number" ? status.revision : 0;
}

function specWriters(instance: Instance): readonly string[] {
  const entries = instance.object.metadata.managedFields ?? [];
  const writers = entries.filter((entry) => entry.fieldsV1?.["f:spec"] !== undefined);
  return [...new Set(writers.map((entry) => entry.manager ?? "unknown"))].sort();
}
