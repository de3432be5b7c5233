/**
 * What an implementation is, once read and checked: which CRD it serves and which templates it renders, in which order.
 * `parse.ts` makes it from `implementation.yaml`; `render`, `reconcile` and `runtime` go by it.
 */
import type { JsonObject } from "../meta/mod.ts";

/** The CRD that an implementation serves. All four are needed to watch it. */
export interface CrdName {
  /** `my-thing.example.com`; empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
}

/** What else a reconcile reads. All fields but `name` may hold template text, rendered with the instance's values. */
export interface WatchEntry extends JsonObject {
  /** Templates see the result as `watched.<name>`. Unique among the entries, an identifier. */
  readonly name: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** Just the object of this name: the result is an object or none. Without it the result is a list. */
  readonly objectName?: string;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** A template that prints Jobs, and how long a reconcile waits for one of them. */
export interface JobEntry {
  readonly template: string;
  /** Milliseconds. Default 60 s. */
  readonly timeoutMs: number;
}

/** Limits of one render of one instance. */
export interface RenderLimits {
  /** Milliseconds. Default 2 s. */
  readonly renderMs: number;
  /** Bytes of UTF-8 that all templates together may print. Default 4 MiB. */
  readonly outputBytes: number;
}

/** How templates are lexed; the names are Jinja2's. Both are off by default, as in Jinja2. */
export interface TemplateOptions {
  readonly trimBlocks: boolean;
  readonly lstripBlocks: boolean;
}

/** An implementation: an ordered list of templates for the instances of one CRD. */
export interface Implementation {
  /** Stands in labels and messages; the same whichever source it comes from. Default `<plural>.<group>`. */
  readonly name: string;
  readonly crd: CrdName;
  readonly language: "jinja2" | "nunjucks";
  readonly undefined: "lenient" | "strict";
  /** Templates that print a mapping each, merged into the values, in order. */
  readonly values: readonly string[];
  readonly watch: readonly WatchEntry[];
  /** What to render, in this order. */
  readonly templates: readonly string[];
  /** Template that prints `.status`, rendered after the children are applied. */
  readonly status?: string;
  readonly jobs: readonly JobEntry[];
  /** Milliseconds between two reconciles of an instance that nothing has touched. Default 10 h. */
  readonly resyncMs: number;
  readonly history: {
    /** Revisions kept per instance. Default 100. */
    readonly limit: number;
    /** Template text of the record's name. */
    readonly name?: string;
  };
  /** Template texts: namespaces that documents may go to, besides the instance's own and those it renders itself. */
  readonly namespaces: readonly string[];
  readonly limits: RenderLimits;
  readonly options: TemplateOptions;
}

/** An implementation with the text of every template it can reach: read at one time, checked, never half new. */
export interface Bundle {
  readonly implementation: Implementation;
  /** Template name (`configmap/key`, on disk `folder/file`) → text. Holds what is included and imported, too. */
  readonly sources: ReadonlyMap<string, string>;
  /** Digest of both; equal data, equal digest, in whatever order the sources were read. */
  readonly digest: string;
}

/** Names of all templates that an implementation lists, each once: values, templates, status, jobs. */
export function listedTemplates(implementation: Implementation): readonly string[] {
  const { values, templates, status, jobs } = implementation;
  return [
    ...new Set([
      ...values,
      ...templates,
      ...(status === undefined ? [] : [status]),
      ...jobs.map((job) => job.template),
    ]),
  ];
}
