/**
 * Which CRD did a template source serve? Asked when the source itself is gone or unreadable at the start: deletions must go on
 * without it, and the records that were made from it know.
 */
import {
  CONFIG_MAPS,
  type CrdName,
  type KubeClient,
  type OwnNames,
  parseApiVersion,
  recordAnnotations,
} from "../../engine/mod.ts";

/** The CRD that the records of this source name; undefined when there is none. Throws ApiError. */
export async function rememberedCrd(
  client: KubeClient,
  { names, namespace, source }: {
    readonly names: OwnNames;
    readonly namespace: string;
    readonly source: string;
  },
): Promise<CrdName | undefined> {
  const annotations = recordAnnotations(names);
  const { items } = await client.list(CONFIG_MAPS, { namespace, labelSelector: `${names.component}=record` });
  for (const { object } of items) {
    const { [annotations.source]: from, [annotations.crd]: crd = "" } = object.metadata.annotations ?? {};
    const parts = crd.split("/");
    const [kind, plural] = parts.slice(-2);
    if (from !== source || parts.length < 3 || kind === undefined || plural === undefined) continue;
    return { ...parseApiVersion(parts.slice(0, -2).join("/")), kind, plural };
  }
  return undefined;
}
