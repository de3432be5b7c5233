/**
 * JSON objects taken apart and put together as text: names with the text of their values, in the order in which they stand.
 *
 * An instance goes to its templates without being parsed here, so its keys keep their order, its integers stay exact, and what
 * templates must not see is left out before it costs anything.
 */

const STRUCTURE = /["{}[\]]/g;

/**
 * The members of a JSON object's text: name → JSON text of the value, in order; the last of two equal names counts. The text has to be
 * valid JSON; throws `SyntaxError` when it is visibly not, or no object.
 */
export function jsonMembers(text: string): Map<string, string> {
  const members = new Map<string, string>();
  const open = skipBlanks(text, 0);
  if (text[open] !== "{") throw new SyntaxError("Not the text of a JSON object");
  let at = skipBlanks(text, open + 1);
  while (text[at] !== "}") {
    const nameEnd = stringEnd(text, at);
    const colon = skipBlanks(text, nameEnd);
    if (text[at] !== '"' || text[colon] !== ":") {
      throw new SyntaxError(`No name at position ${at} of a JSON object`);
    }
    const start = skipBlanks(text, colon + 1);
    const end = valueEnd(text, start);
    members.set(String(JSON.parse(text.slice(at, nameEnd))), text.slice(start, end).trimEnd());
    at = skipBlanks(text, text[end] === "," ? end + 1 : end);
  }
  return members;
}

/** The text of a JSON object with these members. */
export function joinMembers(members: ReadonlyMap<string, string>): string {
  return `{${Array.from(members, ([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (" \n\r\t".includes(text[at] ?? "x")) at++;
  return at;
}

/** Behind the string that begins at `from`. */
function stringEnd(text: string, from: number): number {
  for (let at = from + 1;; at++) {
    at = text.indexOf('"', at);
    if (at < 0) throw new SyntaxError("A string of a JSON text does not end");
    let slashes = 0;
    while (text[at - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
}

/** Behind the value that begins at `from`: at the comma or bracket that follows. */
function valueEnd(text: string, from: number): number {
  if (!'"{['.includes(text[from] ?? "x")) {
    const end = text.slice(from).search(/[,}]/);
    if (end > 0) return from + end;
    throw new SyntaxError("A value of a JSON text does not end");
  }
  let depth = 0;
  let at = from;
  do {
    STRUCTURE.lastIndex = at;
    const found = STRUCTURE.exec(text);
    if (found === null) throw new SyntaxError("A value of a JSON text does not end");
    if (found[0] === '"') at = stringEnd(text, found.index);
    else {
      depth += found[0] === "{" || found[0] === "[" ? 1 : -1;
      at = found.index + 1;
    }
  } while (depth > 0);
  return skipBlanks(text, at);
}
