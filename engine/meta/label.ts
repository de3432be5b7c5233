/**
 * Names of labels, annotations and the finalizer that the engine itself uses, under its domain, and texts cut to what
 * a label may hold. The domain is an option, so that two installations can be told apart.
 */
import { digestOfText } from "./digest.ts";

/** The engine's own label, annotation and finalizer names. */
export interface OwnNames {
  /** Label on children: UID of the owning instance. */
  readonly owner: string;
  /** Label on children and records: which implementation they belong to. Watches select by it. */
  readonly implementation: string;
  /** Label on records: the value is `record`. */
  readonly component: string;
  /** Annotation on an instance: the kinds that it may own, written before the first effect. */
  readonly kinds: string;
  /** Annotation on children: which object of which instance it is (a digest of both names). A copy under another name does not match it. */
  readonly identity: string;
  /** Annotation on children that are kept: `always` or `until-deleted`. */
  readonly keep: string;
  /** Annotation on a foreign object: `"true"` allows the engine to take it over. */
  readonly adopt: string;
  /** The finalizer on an instance. */
  readonly finalizer: string;
}

/** Default domain of the engine's names. */
export const DEFAULT_DOMAIN = "generic-operator.io";

/** All own names under a domain. */
export function ownNames(domain: string = DEFAULT_DOMAIN): OwnNames {
  return {
    owner: `${domain}/owner`,
    implementation: `${domain}/implementation`,
    component: `${domain}/component`,
    kinds: `${domain}/kinds`,
    identity: `${domain}/identity`,
    keep: `${domain}/keep`,
    adopt: `${domain}/adopt`,
    finalizer: `${domain}/cleanup`,
  };
}

/**
 * A text shortened to `limit` characters: a longer one keeps its beginning and gets 10 characters of its digest, so that two
 * long texts stay apart. The result ends in a letter or digit when the text does.
 */
export function shorten(text: string, limit = 63): string {
  if (text.length <= limit) return text;
  const kept = text.slice(0, limit - 11).replace(/[^A-Za-z0-9]+$/, "");
  return `${kept}-${digestOfText(text).slice(0, 10)}`;
}
