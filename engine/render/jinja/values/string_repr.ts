/**
 * How Python writes a str inside of a list: quotes that need no escape where possible, and escapes for what cannot be
 * printed.
 */

const PLAIN = /^[ !#-&(-[\]-~]*$/;
const UNPRINTABLE = /[\\\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/** The `repr` of a str. */
export function stringRepr(text: string): string {
  if (PLAIN.test(text)) return `'${text}'`;
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replace(UNPRINTABLE, escapeCharacter);
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote;
}

function escapeCharacter(char: string): string {
  switch (char) {
    case "\\":
      return "\\\\";
    case "\n":
      return "\\n";
    case "\r":
      return "\\r";
    case "\t":
      return "\\t";
    default:
      return escapeCode(char.codePointAt(0) ?? 0);
  }
}

/** A character by its code: `\\xe9`, `\\u2028`, `\\U0001f600`. */
export function escapeCode(code: number): string {
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}
