/**
 * The digest of what a render comes to, by which revisions and plans compare outcomes without looking into them.
 *
 * Web Crypto rather than node:crypto: it is there in a bare Worker, whose start it does not slow down.
 */
import { canonicalJson } from "../meta/json.ts";
import type { Manifest } from "../meta/manifest.ts";
import type { RenderOutcome } from "./core.ts";
import type { Rendered } from "./renderer.ts";

/** Taken when the module is loaded: the cage takes the global away, for it holds randomness as well. */
const SUBTLE = crypto.subtle;
const ENCODER = new TextEncoder();

/** The outcome with its digest: SHA-256 in hexadecimal. */
export async function withDigest(outcome: RenderOutcome): Promise<Rendered> {
  const { manifests, historyName = null, namespaces } = outcome;
  const text = canonicalJson([manifests.map(withoutOrigin), historyName, namespaces]);
  const hash = await SUBTLE.digest("SHA-256", ENCODER.encode(text));
  const digest = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return { ...outcome, digest };
}

function withoutOrigin({ origin: _, ...rest }: Manifest): Omit<Manifest, "origin"> {
  return rest;
}
