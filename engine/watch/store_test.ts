import assert from "node:assert/strict";
import { Store, storeKey } from "./store.ts";

function pod(name: string, owners: string) {
  return { object: { apiVersion: "v1", kind: "Pod", metadata: { name, labels: { owners } } } };
}
const byOwner = (object: { readonly metadata: { readonly labels?: Readonly<Record<string, string>> } }) =>
  object.metadata.labels?.owners?.split("-") ?? [];

function names(store: Store, value: string): readonly string[] {
  return store.byIndex("owner", value).map(({ metadata }) => metadata.name);
}

Deno.test("an index follows what is set, changed and taken out, also when it is added late", () => {
  const store = new Store();
  store.set("/a", pod("a", "x-y"));
  store.addIndex("owner", byOwner);
  store.set("/b", pod("b", "y"));
  assert.deepEqual([names(store, "x"), names(store, "y"), names(store, "z")], [["a"], ["a", "b"], []]);
  store.set("/a", pod("a", "z"));
  assert.deepEqual([names(store, "x"), names(store, "y"), names(store, "z")], [[], ["b"], ["a"]]);
  store.set("/b", undefined);
  store.set("/b", undefined);
  assert.deepEqual(names(store, "y"), []);
  assert.equal(store.get("/b"), undefined);
  assert.equal([...store.entries()].length, 1);
});

Deno.test("an index that does not exist is a bug that says so", () => {
  assert.throws(() => new Store().byIndex("owner", "x"), /no index owner/);
});

Deno.test("keys tell namespaces apart, and a cluster-scoped object from both", () => {
  assert.equal(new Set([storeKey("a", "b"), storeKey("b", "a"), storeKey(undefined, "b")]).size, 3);
});
