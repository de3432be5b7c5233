/**
 * Rounds of plan and apply on the fake API server, for tests of these alone: manifests in, outcome out, and the inventory is remembered from round to
 * round. The caches are the stored objects themselves, less what a test hides.
 */
import assert from "node:assert/strict";
import {
  type ApplyContext,
  type ApplyOutcome,
  type ApplyStep,
  applySteps,
  makePlan,
  resolveDesired,
} from "../apply/mod.ts";
import type { Resource } from "../kube/mod.ts";
import { type Inventory, type KubeObject, type Manifest, type ObjectRef, refOf } from "../meta/mod.ts";
import { ownership, resource } from "./builders.ts";
import { FakeKube } from "./fake_kube.ts";

/** ConfigMaps, as an endpoint. */
export const CONFIG_MAPS = resource("ConfigMap", { subresources: [] });
/** Namespaces, as an endpoint. */
export const NAMESPACES = resource("Namespace", { namespaced: false });
/** Deployments, as an endpoint. */
export const DEPLOYMENTS = resource("Deployment", { group: "apps" });
/** Whoever is not the engine. */
export const SOMEBODY = { fieldManager: "kubectl" };

const OWNERSHIP = ownership();

/** See the file's head. */
export class Applying {
  readonly kube = new FakeKube([CONFIG_MAPS, NAMESPACES, DEPLOYMENTS]);
  /** What was applied so far. */
  inventory: Inventory = [];
  /** UIDs of living instances. */
  owners: readonly string[] = [];
  /** Asked before each step. */
  proceed: () => boolean = () => true;
  /** What the caches do not show, by name. */
  readonly hidden = new Set<string>();
  /** Namespaces that the implementation declares. */
  namespaces: readonly string[] = ["*"];
  /** What the clock shows. */
  now = new Date();
  #pending = 0;

  /** Plans without carrying out. */
  async plan(...manifests: readonly Manifest[]): Promise<readonly ApplyStep[]> {
    const live = {
      get: (ref: ObjectRef) => this.hidden.has(ref.name) ? undefined : this.kube.stored(ref),
      ownedBy: () => [],
    };
    const { desired } = await resolveDesired(manifests, {
      mapper: this.kube.mapper,
      ownership: OWNERSHIP,
      namespaces: this.namespaces,
    });
    return makePlan(desired, { inventory: this.inventory, live, ownership: OWNERSHIP }).apply;
  }

  /** Carries out; `kube.calls` holds just these calls then. */
  async carryOut(steps: readonly ApplyStep[]): Promise<ApplyOutcome> {
    this.kube.calls.length = 0;
    const context: ApplyContext = {
      client: this.kube.client,
      ownership: OWNERSHIP,
      beginWrite: () => this.#pendingWrite(),
      ownerExists: (uid) => this.owners.includes(uid),
      now: () => this.now,
      proceed: () => this.proceed(),
      inventory: this.inventory,
    };
    const outcome = await applySteps(steps, context);
    assert.equal(this.#pending, 0, "each write that was announced is ended");
    this.inventory = outcome.inventory;
    return outcome;
  }

  /** Plans and carries out. */
  async round(...manifests: readonly Manifest[]): Promise<ApplyOutcome> {
    return await this.carryOut(await this.plan(...manifests));
  }

  /** Makes an object as somebody else. */
  async make(object: KubeObject, endpoint: Resource = CONFIG_MAPS): Promise<KubeObject> {
    return (await this.kube.client.create(endpoint, object, SOMEBODY)).object;
  }

  /** Deletes a ConfigMap as somebody else. */
  async remove(object: KubeObject): Promise<void> {
    const { metadata: { uid = "" } } = this.stored(object);
    await this.kube.client.delete(CONFIG_MAPS, refOf(object), { uid });
  }

  /** The object as it is stored. Fails when it is not. */
  stored(object: KubeObject): KubeObject {
    const found = this.kube.stored(refOf(object));
    assert.ok(found, `${object.metadata.name} is stored`);
    return found;
  }

  /** `apply one`, or for the second field manager `apply one as engine/initial`. */
  sent(): readonly string[] {
    return this.kube.calls.map(({ verb, subject, fieldManager = "" }) =>
      `${verb} ${subject.replace(/^.*[ /]/, "")}${fieldManager.includes("/") ? ` as ${fieldManager}` : ""}`
    );
  }

  #pendingWrite() {
    this.#pending++;
    const end = () => this.#pending--;
    return { done: end, gone: end, failed: end };
  }
}

/** What an outcome says of each object: `created one`, `failed two NotOwned`. */
export function told({ changes }: ApplyOutcome): readonly string[] {
  return changes.map(({ ref, action, reason }) =>
    `${action} ${ref.name}${reason === undefined ? "" : ` ${reason}`}`
  );
}
