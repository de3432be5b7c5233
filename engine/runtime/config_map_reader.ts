/**
 * ConfigMaps for a template source: one precise watch for each that an implementation names, so that the right to read just these is enough.
 */
import type { ConfigMapReader } from "../implementation/mod.ts";
import { CONFIG_MAPS, type KubeClient, NotFoundError } from "../kube/mod.ts";
import { isJsonObject } from "../meta/mod.ts";
import type { InformerSet } from "../watch/mod.ts";

/** The `ConfigMapReader` of one namespace. `informersFor` makes a set that ends with its signal. */
export function configMapReader(
  client: KubeClient,
  namespace: string,
  informersFor: (signal: AbortSignal) => InformerSet,
): ConfigMapReader {
  return {
    get: async (name) => {
      try {
        const { object } = await client.get(CONFIG_MAPS, { ...CONFIG_MAPS, namespace, name });
        return texts(object.data);
      } catch (error) {
        if (error instanceof NotFoundError) return undefined;
        throw error;
      }
    },
    watch: async (names, onChange, signal) => {
      const informers = informersFor(signal);
      const watched = names.map((name) =>
        informers.ensure(CONFIG_MAPS, {
          namespace,
          fieldSelector: `metadata.name=${name}`,
          metadataOnly: true,
        })
      );
      try {
        await Promise.all(watched.map((informer) => informer.whenSynced({ signal })));
        for (const informer of watched) informer.onChange(onChange);
        onChange();
        await aborted(signal);
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        await informers.stop();
      }
    },
  };
}

function texts(data: unknown): Readonly<Record<string, string>> {
  const entries = isJsonObject(data) ? Object.entries(data) : [];
  return Object.fromEntries(entries.map(([key, value]) => [key, String(value)]));
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
