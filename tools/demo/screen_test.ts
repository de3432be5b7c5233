/** Steps, lines and pictures, on a terminal and elsewhere. */
import assert from "node:assert/strict";
import { type Line, Screen } from "./screen.ts";

function screenOf(
  { isTerminal, hasColours = false, columns = 80, rows = 24 }: {
    readonly isTerminal: boolean;
    readonly hasColours?: boolean;
    readonly columns?: number;
    readonly rows?: number;
  },
): { readonly screen: Screen; readonly written: string[] } {
  const written: string[] = [];
  const screen = new Screen({
    write: (text) => written.push(text),
    isTerminal,
    hasColours,
    size: () => ({ columns, rows }),
  });
  return { screen, written };
}

const TREE: readonly Line[] = [[{ text: "Thing a", tone: "strong" }], [{ text: " └─ " }, { text: "Part b" }]];

Deno.test("elsewhere than on a terminal only the last picture is written, without control characters", () => {
  const { screen, written } = screenOf({ isTerminal: false });
  screen.step("First");
  screen.picture([[{ text: "not yet" }]]);
  screen.lastPicture(TREE);
  screen.good("seen");
  assert.equal(written.join(""), "\n1. First\n   Thing a\n    └─ Part b\n   ✔ seen\n");
  assert.equal(screen.currentStep, "1 (First)");
});

Deno.test("on a terminal a picture replaces the one before, and nothing else", () => {
  const { screen, written } = screenOf({ isTerminal: true });
  screen.say("stays");
  screen.picture(TREE);
  screen.picture([[{ text: "Thing a" }]]);
  screen.lastPicture(TREE);
  screen.picture([[{ text: "new" }]]);
  assert.deepEqual(written, [
    "   stays\n",
    "   Thing a\n    └─ Part b\n",
    "\x1b[2A\x1b[J   Thing a\n",
    "\x1b[1A\x1b[J",
    "   Thing a\n",
    "    └─ Part b\n",
    "   new\n",
  ]);
});

Deno.test("a picture line never takes two rows, and a picture never more rows than there are", () => {
  const { screen, written } = screenOf({ isTerminal: true, columns: 11, rows: 2 });
  screen.picture([[{ text: "123456789" }, { text: "never" }]]);
  assert.equal(written[0], "   123456…\n");
  screen.picture(TREE);
  assert.equal(written[1], "\x1b[1A\x1b[J   Thing a\n");
});

Deno.test("tones become colours only where there are some", () => {
  const { screen, written } = screenOf({ isTerminal: true, hasColours: true });
  screen.lastPicture([[{ text: "yes", tone: "good" }, { text: " plain" }]]);
  assert.equal(written.join(""), "   \x1b[32myes\x1b[0m plain\n");
});
