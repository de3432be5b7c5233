import assert from "node:assert/strict";
import { Layout, type SlotFrame, slotReader, slotWriter } from "./layout.ts";

Deno.test("Layout finds variables of its own function and of those around it", () => {
  const root = new Layout();
  const macro = new Layout(root);
  const inner = new Layout(macro);
  assert.equal(root.own("0:a"), 0);
  assert.equal(root.own("0:b"), 1);
  assert.equal(macro.own("1:c"), 0);
  assert.equal(root.own("0:a"), 0);
  assert.deepEqual(macro.find("1:c"), { hops: 0, slot: 0 });
  assert.deepEqual(inner.find("1:c"), { hops: 1, slot: 0 });
  assert.deepEqual(inner.find("0:b"), { hops: 2, slot: 1 });
});

Deno.test("temporary slots are never those of a variable", () => {
  const layout = new Layout();
  const slots = [layout.own("0:a"), layout.temporary(), layout.temporary(), layout.own("0:b")];
  assert.deepEqual(slots, [0, 1, 2, 3]);
});

Deno.test("slots are read and written by hops", () => {
  const outer: SlotFrame = { slots: ["x"], outer: undefined };
  const middle: SlotFrame = { slots: [], outer };
  const frame: SlotFrame = { slots: ["z"], outer: middle };
  slotWriter({ hops: 1, slot: 0 })(frame, "y");
  slotWriter({ hops: 2, slot: 1 })(frame, "w");
  assert.deepEqual([0, 1, 2].map((hops) => slotReader({ hops, slot: 0 })(frame)), ["z", "y", "x"]);
  assert.deepEqual(outer.slots, ["x", "w"]);
});
