/**
 * JSON text becomes values without loss: keys keep their order, integers are exact, and `1.0` stays a float.
 * `JSON.parse` moves integer-like keys to the front and rounds large integers.
 */
import { PyDict } from "./dict.ts";
import { normalise } from "./integer.ts";
import { PyFloat, type PyValue } from "./value.ts";

const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const PLAIN_STRING = /"([^"\\\p{Cc}]*)"/uy;
const STRING = /"(?:[^"\\\n]|\\.)*"/y;
const BLANKS = /[ \t\n\r]*/y;

/** The value of a JSON text. Throws `SyntaxError` for a text that is none. */
export function fromJson(text: string): PyValue {
  return new JsonReader(text).whole();
}

class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): PyValue {
    const value = this.#value();
    this.#skipBlanks();
    if (this.#at < this.#text.length) throw this.#unexpected();
    return value;
  }

  #value(): PyValue {
    this.#skipBlanks();
    switch (this.#text.charAt(this.#at)) {
      case "{":
        return this.#object();
      case "[":
        return this.#array();
      case '"':
        return this.#string();
      case "t":
        return this.#word("true", true);
      case "f":
        return this.#word("false", false);
      case "n":
        return this.#word("null", null);
      default:
        return this.#number();
    }
  }

  #object(): PyDict {
    const dict = new PyDict();
    this.#at++;
    if (this.#takes("}")) return dict;
    do {
      this.#skipBlanks();
      const key = this.#string();
      this.#expect(":");
      dict.set(key, this.#value());
    } while (this.#takes(","));
    this.#expect("}");
    return dict;
  }

  #array(): PyValue[] {
    const items: PyValue[] = [];
    this.#at++;
    if (this.#takes("]")) return items;
    do items.push(this.#value()); while (this.#takes(","));
    this.#expect("]");
    return items;
  }

  #string(): string {
    const plain = this.#match(PLAIN_STRING);
    if (plain !== undefined) return plain[1] ?? "";
    const match = this.#match(STRING);
    if (match === undefined) throw this.#unexpected();
    return String(JSON.parse(match[0]));
  }

  #number(): PyValue {
    const match = this.#match(NUMBER);
    if (match === undefined) throw this.#unexpected();
    const [digits, fraction, exponent] = match;
    const number = Number(digits);
    if (fraction !== undefined || exponent !== undefined) return new PyFloat(number);
    return Number.isSafeInteger(number) ? number + 0 : normalise(BigInt(digits));
  }

  #word<T extends boolean | null>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw this.#unexpected();
    this.#at += word.length;
    return value;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text) ?? undefined;
    if (match !== undefined) this.#at = pattern.lastIndex;
    return match;
  }

  #takes(char: string): boolean {
    this.#skipBlanks();
    if (this.#text.charAt(this.#at) !== char) return false;
    this.#at++;
    return true;
  }

  #expect(char: string): void {
    if (!this.#takes(char)) throw this.#unexpected();
  }

  #skipBlanks(): void {
    const code = this.#text.charCodeAt(this.#at);
    if (code > 0x20) return;
    this.#match(BLANKS);
  }

  #unexpected(): SyntaxError {
    const what = this.#at < this.#text.length
      ? `character ${JSON.stringify(this.#text.charAt(this.#at))}`
      : "end";
    return new SyntaxError(`Unexpected ${what} at position ${this.#at} of a JSON text`);
  }
}
