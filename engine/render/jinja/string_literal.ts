/**
 * What stands between the quotes of a string literal becomes its text, by Python's rule: the escapes of a `str`
 * literal, and a backslash before anything else stays. Jinja2 first writes non-ASCII characters as escapes, which
 * shows where a backslash stands before one: `\é` gives `\xe9`.
 */

const ESCAPE =
  /\\(?:\n|([0-7]{1,3})|x([0-9a-fA-F]{0,2})|u([0-9a-fA-F]{0,4})|U([0-9a-fA-F]{0,8})|(N)|([\s\S]))/gu;

const SIMPLE: ReadonlyMap<string, string> = new Map([
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
  ["a", "\x07"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
]);

/** The text of a literal's inside. Throws `SyntaxError` with Python's words for an escape that is cut short. */
export function unescapeLiteral(inside: string): string {
  if (!inside.includes("\\")) return inside;
  return inside.replace(ESCAPE, (whole, octal, hex, four, eight, named, other) => {
    if (octal !== undefined) return String.fromCodePoint(parseInt(octal, 8));
    if (hex !== undefined) return character(hex, 2, "xXX");
    if (four !== undefined) return character(four, 4, "uXXXX");
    if (eight !== undefined) return character(eight, 8, "UXXXXXXXX");
    if (named !== undefined) throw new SyntaxError("\\N{...} is not supported, write \\uXXXX");
    if (other === undefined) return "";
    return SIMPLE.get(other) ?? (isAscii(other) ? whole : `\\${asEscape(other)}`);
  });
}

function character(digits: string, needed: number, shape: string): string {
  if (digits.length < needed) throw new SyntaxError(`truncated \\${shape} escape`);
  const code = parseInt(digits, 16);
  if (code > 0x10ffff) throw new SyntaxError("illegal Unicode character");
  return String.fromCodePoint(code);
}

function isAscii(char: string): boolean {
  return (char.codePointAt(0) ?? 0) < 128;
}

function asEscape(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x100) return `x${hex.padStart(2, "0")}`;
  return code < 0x10000 ? `u${hex.padStart(4, "0")}` : `U${hex.padStart(8, "0")}`;
}
