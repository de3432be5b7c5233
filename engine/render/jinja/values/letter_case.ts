/**
 * Upper, lower and title case as Python has them. JavaScript has the first two; title case and case folding differ
 * from them in a few characters only, which are written down here as rules.
 */

const CASED_LETTER = /[\p{Lowercase}\p{Uppercase}\p{Lt}]/u;
const UPPER = /[\p{Uppercase}\p{Lt}]/u;
const LOWER = /\p{Lowercase}/u;
const DIGRAPHS = "ǄǅǆǇǈǉǊǋǌǱǲǳ";
const GEORGIAN = /[\u10d0-\u10fa\u10fd-\u10ff]/;
const LIGATURE = /[\xdf\u0587\ufb00-\ufb06\ufb13-\ufb17]/;
const IOTA_PAIR = /[\u1f80-\u1faf]/;
const IOTA_SINGLE = /[\u1fb3\u1fbc\u1fc3\u1fcc\u1ff3\u1ffc]/;
const IOTA_WITH_ACCENT = /[\u1fb2\u1fb4\u1fb7\u1fc2\u1fc4\u1fc7\u1ff2\u1ff4\u1ff7]/;
const ASCII = /^[\0-\x7f]*$/;

/** One character in title case; mostly, but not always, its upper case. */
export function titleCharacter(char: string): string {
  if (ASCII.test(char)) return char.toUpperCase();
  const digraph = DIGRAPHS.indexOf(char);
  if (digraph >= 0) return DIGRAPHS.charAt(digraph - digraph % 3 + 1);
  if (GEORGIAN.test(char)) return char;
  const upper = char.toUpperCase();
  if (LIGATURE.test(char)) return upper.charAt(0) + upper.slice(1).toLowerCase();
  if (IOTA_PAIR.test(char)) return String.fromCharCode(char.charCodeAt(0) | 8);
  if (IOTA_SINGLE.test(char)) return String.fromCharCode((char.charCodeAt(0) & 0xfff0) | 0xc);
  return IOTA_WITH_ACCENT.test(char) ? upper.replace("\u0399", "\u0345") : upper;
}

/** `str.capitalize`. */
export function capitalize(text: string): string {
  const [first = ""] = text;
  return titleCharacter(first) + text.toLowerCase().slice(first.toLowerCase().length);
}

/** `str.title`: a letter that follows none begins a word. */
export function titleCase(text: string): string {
  const chars = Array.from(text);
  let inWord = false;
  return chars.map((char, i) => {
    const result = inWord ? lowerAt(chars, i) : titleCharacter(char);
    inWord = CASED_LETTER.test(char);
    return result;
  }).join("");
}

/** `str.swapcase`. */
export function swapCase(text: string): string {
  const chars = Array.from(text);
  return chars.map((char, i) => {
    if (/\p{Uppercase}/u.test(char)) return lowerAt(chars, i);
    return LOWER.test(char) ? char.toUpperCase() : char;
  }).join("");
}

/** `str.casefold`. */
export function caseFold(text: string): string {
  return ASCII.test(text) ? text.toLowerCase() : Array.from(text, foldCharacter).join("");
}

/** Cherokee folds to its older, upper case letters; the Turkish dotless i stays what it is. */
function foldCharacter(char: string): string {
  if (char === "ı" || /[\u13a0-\u13f5]/.test(char)) return char;
  if (/[\u13f8-\u13fd\uab70-\uabbf]/.test(char)) return char.toUpperCase();
  return char === "ẞ" ? "ss" : char.toUpperCase().toLowerCase();
}

/** `str.islower`: letters that have a case, and none of them upper. */
export function isLower(text: string): boolean {
  return LOWER.test(text) && !UPPER.test(text);
}

/** `str.isupper`. */
export function isUpper(text: string): boolean {
  return /\p{Uppercase}/u.test(text) && !/[\p{Lowercase}\p{Lt}]/u.test(text);
}

/** `str.istitle`: each run of letters that have a case begins with an upper one and goes on with lower ones. */
export function isTitle(text: string): boolean {
  let inWord = false;
  let found = false;
  for (const char of text) {
    const upper = UPPER.test(char);
    const lower = LOWER.test(char);
    if (upper ? inWord : lower && !inWord) return false;
    inWord = upper || lower;
    found ||= inWord;
  }
  return found;
}

/** The lower case of a character in its place: a sigma looks different at the end of a word. */
function lowerAt(chars: readonly string[], index: number): string {
  const char = chars[index] ?? "";
  if (char !== "Σ") return char.toLowerCase();
  return isCasedNext(chars, index, -1) && !isCasedNext(chars, index, 1) ? "ς" : "σ";
}

/** Whether the next character in a direction has a case, marks and the like not counted. */
function isCasedNext(chars: readonly string[], index: number, direction: 1 | -1): boolean {
  let at = index + direction;
  while (/^\p{Case_Ignorable}$/u.test(chars[at] ?? "")) at += direction;
  return /^\p{Cased}$/u.test(chars[at] ?? "");
}
