/**
 * A path into a document becomes an offset in its text, by walking the parser's events. Asked for errors only, so it may
 * be slow, and reading pays nothing for it.
 */
import { type Event, EVENT_ID, getScalarValue, SCALAR_STYLE } from "js-yaml";
import { offsetOf } from "./construct.ts";
import { keyText, resolvePlain } from "./scalar.ts";
import type { YamlPath } from "./value.ts";

/**
 * The offset of the key (in a mapping) or item (in a list) that a path leads to; of the value for the empty path.
 * Undefined when the text itself does not hold it: an alias is not followed.
 */
export function locate(text: string, events: readonly Event[], path: YamlPath): number | undefined {
  let at = 1;
  let offset = startOf(events, at);
  for (const step of path) {
    const found = child(text, events, at, step);
    if (found === undefined) return undefined;
    at = found.value;
    offset = startOf(events, found.shown) ?? offset;
  }
  return offset;
}

/** Indexes of the event that shows a child (its key, or the item itself) and of the child's value. */
interface Child {
  readonly shown: number;
  readonly value: number;
}

function child(
  text: string,
  events: readonly Event[],
  parent: number,
  step: string | number,
): Child | undefined {
  const type = events[parent]?.type;
  let at = parent + 1;
  if (type === EVENT_ID.SEQUENCE) {
    for (let item = 0; item < Number(step) && !closes(events, at); item++) at = after(events, at);
    return closes(events, at) ? undefined : { shown: at, value: at };
  }
  if (type !== EVENT_ID.MAPPING) return undefined;
  for (; !closes(events, at); at = after(events, after(events, at))) {
    if (keyAt(text, events, at) === String(step)) return { shown: at, value: after(events, at) };
  }
  return undefined;
}

function keyAt(text: string, events: readonly Event[], at: number): string | undefined {
  const event = events[at];
  if (event?.type !== EVENT_ID.SCALAR) return undefined;
  const key = getScalarValue(text, event);
  return event.style === SCALAR_STYLE.PLAIN ? keyText(resolvePlain(key), key) : key;
}

function closes(events: readonly Event[], at: number): boolean {
  const event = events[at];
  return event === undefined || event.type === EVENT_ID.POP;
}

/** The index behind the node at `at`. */
function after(events: readonly Event[], at: number): number {
  let depth = 0;
  for (let next = at; next < events.length; next++) {
    const type = events[next]?.type;
    if (type === EVENT_ID.SEQUENCE || type === EVENT_ID.MAPPING) depth++;
    if (type === EVENT_ID.POP) depth--;
    if (depth <= 0) return next + 1;
  }
  return events.length;
}

/** An empty item has no place of its own: that of what follows is as near as it gets. */
function startOf(events: readonly Event[], at: number): number | undefined {
  const event = events[at];
  return event === undefined ? undefined : offsetOf(event);
}
