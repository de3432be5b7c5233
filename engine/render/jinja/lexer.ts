/**
 * Template text goes in, tokens come out, one at a time: the parser asks for the next one, so that of two errors the
 * first in the text is reported, as Jinja2 does. Text between tags is one `data` token with its white space already
 * trimmed (`-`, `+`, trim_blocks, lstrip_blocks); comments leave no token and raw blocks are data. A tag ends at its
 * own end only, and only when no bracket is open in it, so `}]` can stand in an expression.
 */
import { type Place, type Source, syntaxError } from "./errors.ts";
import { unescapeLiteral } from "./string_literal.ts";

/** How white space around tags is treated; each as in Jinja2's Environment. */
export interface LexerOptions {
  /** The first line end after a block tag or comment goes. */
  readonly trimBlocks: boolean;
  /** Blanks before a block tag or comment that begins its line go. */
  readonly lstripBlocks: boolean;
  /** The last line end of the template stays. */
  readonly keepTrailingNewline: boolean;
}

/** Operators by their text, with the name that a token of it has. */
const OPERATORS = {
  "+": "add",
  "-": "sub",
  "/": "div",
  "//": "floordiv",
  "*": "mul",
  "%": "mod",
  "**": "pow",
  "~": "tilde",
  "[": "lbracket",
  "]": "rbracket",
  "(": "lparen",
  ")": "rparen",
  "{": "lbrace",
  "}": "rbrace",
  "==": "eq",
  "!=": "ne",
  ">": "gt",
  ">=": "gteq",
  "<": "lt",
  "<=": "lteq",
  "=": "assign",
  ".": "dot",
  ":": "colon",
  "|": "pipe",
  ",": "comma",
  ";": "semicolon",
} as const;

type OperatorName = typeof OPERATORS[keyof typeof OPERATORS];

/** What a token is. */
export type TokenType =
  | OperatorName
  | "data"
  | "variable_begin"
  | "variable_end"
  | "block_begin"
  | "block_end"
  | "name"
  | "string"
  | "integer"
  | "float"
  | "eof";

/** One token; `value` is the text of data, the unescaped text of a string, digits without `_`, else as written. */
export interface Token extends Place {
  readonly type: TokenType;
  readonly value: string;
}

const OPERATOR_NAMES: ReadonlyMap<string, OperatorName> = new Map(Object.entries(OPERATORS));
const OPERATOR_TEXTS: ReadonlyMap<string, string> = new Map(
  Object.entries(OPERATORS).map(([k, v]) => [v, k]),
);
const TYPE_WORDS: ReadonlyMap<string, string> = new Map([
  ["block_begin", "begin of statement block"],
  ["block_end", "end of statement block"],
  ["variable_begin", "begin of print statement"],
  ["variable_end", "end of print statement"],
  ["data", "template data / text"],
  ["eof", "end of template"],
]);
const CLOSERS: ReadonlyMap<string, string> = new Map([["{", "}"], ["(", ")"], ["[", "]"]]);

/** White space as Python's `str.isspace` has it. */
const SPACE = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const OPENING = new RegExp(
  `\\[(?:%(?<raw>[-+]?)${SPACE}*raw${SPACE}*(?:-%\\]${SPACE}*|%\\])|(?<tag>[%#{])(?<sign>[-+]?))`,
  "g",
);
const SPACES = new RegExp(`${SPACE}+`, "y");
const ONLY_SPACES = new RegExp(`^${SPACE}+$`);
const IS_SPACE = new RegExp(SPACE);
const FLOAT = /(?<!\.)(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?e[+-]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)/iy;
const INTEGER = /0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\da-f])+|[1-9](?:_?\d)*|0(?:_?0)*/iy;
const NAME = /[\p{L}\p{N}\p{M}\p{Pc}\u00b7]+/uy;
const IDENTIFIER = /^[\p{XID_Start}_]\p{XID_Continue}*$/u;
const STRING = /'[^'\\]*(?:\\[\s\S][^'\\]*)*'|"[^"\\]*(?:\\[\s\S][^"\\]*)*"/y;
const OPERATOR = /\*\*|\/\/|==|!=|>=|<=|[-+/*%~[\](){}><=.:|,;]/y;
const VARIABLE_END = new RegExp(`-\\}\\]${SPACE}*|\\}\\]`, "y");

/** Advice for text that was not meant as a tag. */
export const RAW_HINT = "Text that holds the delimiters of a template is kept by [% raw %] ... [% endraw %]";

/** Python's limit for the digits of an integer literal. */
const MAX_DIGITS = 4300;

/** What a token is called in a message. */
export function describeToken(token: Pick<Token, "type" | "value">): string {
  return token.type === "name" ? token.value : describeType(token.type);
}

/** What a type of token is called in a message. */
export function describeType(type: TokenType): string {
  return OPERATOR_TEXTS.get(type) ?? TYPE_WORDS.get(type) ?? type;
}

/** The text that a template's lexer works on: line ends become `\n`, the last one goes unless it is to be kept. */
export function normalise(text: string, options: Pick<LexerOptions, "keepTrailingNewline">): string {
  const lines = text.replace(/\r\n?/g, "\n");
  return !options.keepTrailingNewline && lines.endsWith("\n") ? lines.slice(0, -1) : lines;
}

function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && IS_SPACE.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Reads the tokens of one template, from first to last. */
export class Lexer {
  readonly #source: Source;
  readonly #text: string;
  readonly #lstripBlocks: boolean;
  readonly #blockEnd: RegExp;
  readonly #commentEnd: RegExp;
  readonly #rawEnd: RegExp;
  #position = 0;
  #line = 1;
  #lineStart = 0;
  #counted = 0;
  #last: Place;
  #inside: "text" | "block" | "variable" = "text";
  #waiting: Token | undefined;
  readonly #closers: string[] = [];

  constructor(source: Source, options: LexerOptions) {
    const suffix = options.trimBlocks ? "\\n?" : "";
    const blockEnd = `(?:\\+%\\]|-%\\]${SPACE}*|%\\]${suffix})`;
    this.#source = source;
    this.#text = source.text;
    this.#lstripBlocks = options.lstripBlocks;
    this.#blockEnd = new RegExp(blockEnd, "y");
    this.#commentEnd = new RegExp(`\\+#\\]|-#\\]${SPACE}*|#\\]${suffix}`, "g");
    this.#rawEnd = new RegExp(`\\[%([-+]?)${SPACE}*endraw${SPACE}*${blockEnd}`, "g");
    this.#last = { source, line: 1, column: 1 };
  }

  /** The next token; `eof` again and again at the end, placed where the last token stood. */
  next(): Token {
    const waiting = this.#waiting;
    if (waiting !== undefined) {
      this.#waiting = undefined;
      return this.#emit(waiting);
    }
    while (this.#position < this.#text.length) {
      const token = this.#inside === "text" ? this.#readText() : this.#readTag(this.#inside);
      if (token !== undefined) return this.#emit(token);
    }
    return { ...this.#last, type: "eof", value: "" };
  }

  #emit(token: Token): Token {
    this.#last = { source: this.#source, line: token.line, column: token.column };
    return token;
  }

  #placeAt(offset: number): Place {
    for (;;) {
      const end = this.#text.indexOf("\n", this.#counted);
      if (end < 0 || end >= offset) break;
      this.#line++;
      this.#lineStart = this.#counted = end + 1;
    }
    return { source: this.#source, line: this.#line, column: offset - this.#lineStart + 1 };
  }

  #token(type: TokenType, value: string, place: Place): Token {
    return { source: place.source, line: place.line, column: place.column, type, value };
  }

  #readText(): Token | undefined {
    const start = this.#placeAt(this.#position);
    OPENING.lastIndex = this.#position;
    const found = OPENING.exec(this.#text);
    if (found === null) {
      const rest = this.#text.slice(this.#position);
      this.#position = this.#text.length;
      return this.#token("data", rest, start);
    }
    const { raw, tag, sign } = found.groups ?? {};
    const text = this.#stripBefore(found.index, raw ?? sign ?? "", tag === "{");
    const place = this.#placeAt(found.index);
    this.#position = OPENING.lastIndex;
    const data = text === "" ? undefined : this.#token("data", text, start);
    if (tag === "#") {
      this.#skipComment(place);
    } else if (tag === undefined) {
      const inside = this.#readRaw();
      if (data === undefined) return inside;
      this.#waiting = inside;
    } else {
      this.#inside = tag === "%" ? "block" : "variable";
      const begin = this.#token(tag === "%" ? "block_begin" : "variable_begin", found[0], place);
      if (data === undefined) return begin;
      this.#waiting = begin;
    }
    return data;
  }

  /** The text from the current position to a tag, less the white space that the tag takes away. */
  #stripBefore(end: number, sign: string, isVariable: boolean): string {
    const text = this.#text.slice(this.#position, end);
    if (sign === "-") return trimEnd(text);
    if (sign === "+" || !this.#lstripBlocks || isVariable) return text;
    const lineStart = text.lastIndexOf("\n") + 1;
    const beginsLine = lineStart > 0 || this.#position === 0 || this.#text[this.#position - 1] === "\n";
    return beginsLine && ONLY_SPACES.test(text.slice(lineStart)) ? text.slice(0, lineStart) : text;
  }

  #skipComment(place: Place): void {
    this.#commentEnd.lastIndex = this.#position;
    const found = this.#commentEnd.exec(this.#text);
    if (found === null && !this.#atEnd()) throw syntaxError(place, "Missing end of comment tag", RAW_HINT);
    if (found !== null) this.#position = this.#commentEnd.lastIndex;
  }

  #readRaw(): Token | undefined {
    const start = this.#placeAt(this.#position);
    this.#rawEnd.lastIndex = this.#position;
    const found = this.#rawEnd.exec(this.#text);
    if (found === null) {
      if (this.#atEnd()) return undefined;
      throw syntaxError(start, "Missing end of raw directive");
    }
    const text = this.#stripBefore(found.index, found[1] ?? "", false);
    this.#position = this.#rawEnd.lastIndex;
    return text === "" ? undefined : this.#token("data", text, start);
  }

  /** Whether nothing follows; Jinja2 misses the end of a comment or raw block only where something does. */
  #atEnd(): boolean {
    return this.#position === this.#text.length;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#position = pattern.lastIndex;
    return found[0];
  }

  #readTag(inside: "block" | "variable"): Token | undefined {
    const place = this.#placeAt(this.#position);
    if (this.#closers.length === 0) {
      const end = this.#match(inside === "block" ? this.#blockEnd : VARIABLE_END);
      if (end !== undefined) {
        this.#inside = "text";
        return this.#token(inside === "block" ? "block_end" : "variable_end", end, place);
      }
    }
    if (this.#match(SPACES) !== undefined) return undefined;
    const float = this.#match(FLOAT);
    if (float !== undefined) return this.#token("float", float.replaceAll("_", ""), place);
    const integer = this.#match(INTEGER)?.replaceAll("_", "");
    if (integer !== undefined) {
      if (integer.length > MAX_DIGITS) {
        throw syntaxError(place, `Integer literal of more than ${MAX_DIGITS} digits`);
      }
      return this.#token("integer", integer, place);
    }
    const name = this.#match(NAME);
    if (name !== undefined) {
      if (!IDENTIFIER.test(name)) throw syntaxError(place, "Invalid character in identifier");
      return this.#token("name", name, place);
    }
    const literal = this.#match(STRING);
    if (literal !== undefined) return this.#token("string", this.#unescape(literal, place), place);
    const operator = this.#match(OPERATOR);
    const type = operator === undefined ? undefined : OPERATOR_NAMES.get(operator);
    if (operator === undefined || type === undefined) throw this.#unexpected(place);
    this.#balance(operator, place);
    return this.#token(type, operator, place);
  }

  #unescape(literal: string, place: Place): string {
    try {
      return unescapeLiteral(literal.slice(1, -1));
    } catch (error) {
      if (error instanceof SyntaxError) throw syntaxError(place, error.message);
      throw error;
    }
  }

  #balance(operator: string, place: Place): void {
    const closer = CLOSERS.get(operator);
    if (closer !== undefined) {
      this.#closers.push(closer);
    } else if (operator === "}" || operator === ")" || operator === "]") {
      const expected = this.#closers.pop();
      if (expected === undefined) throw syntaxError(place, `unexpected '${operator}'`);
      if (expected !== operator) throw syntaxError(place, `unexpected '${operator}', expected '${expected}'`);
    }
  }

  #unexpected(place: Place): Error {
    const char = String.fromCodePoint(this.#text.codePointAt(this.#position) ?? 0);
    const quote = char === "'" || char === '"';
    return syntaxError(
      place,
      `unexpected char ${char === "'" ? `"'"` : `'${char}'`} at ${this.#position}`,
      quote ? "The text that begins here is not closed in this tag" : undefined,
    );
  }
}
