/**
 * The parser's view of the tokens: one current token, one token of sight, and the words for a token that does not
 * fit. It also bounds how deep expressions and statements may stand inside one another, since parser and evaluator
 * recurse on the JavaScript stack.
 */
import { syntaxError, type TemplateError } from "../errors.ts";
import { describeToken, describeType, type Lexer, type Token, type TokenType } from "../lexer.ts";

/** Levels of nesting and lengths of operator chains beyond which a template is refused. */
const MAX_DEPTH = 200;

/** Advice for text that was not meant as a print statement. */
export const FLOW_HINT =
  "'[{' begins a print statement; write a list of mappings as '[ {' with a blank, or keep the text by [% raw %]";

/** Tokens of one template with the position of the parser. */
export class TokenStream {
  readonly #lexer: Lexer;
  #current: Token;
  #ahead: Token | undefined;
  #depth = 0;

  constructor(lexer: Lexer) {
    this.#lexer = lexer;
    this.#current = lexer.next();
  }

  /** The token that is to be read next. */
  get current(): Token {
    return this.#current;
  }

  /** The token after the current one. */
  look(): Token {
    this.#ahead ??= this.#lexer.next();
    return this.#ahead;
  }

  /** Goes one token ahead and gives the one that was current. */
  next(): Token {
    const token = this.#current;
    if (this.#ahead !== undefined) {
      this.#current = this.#ahead;
      this.#ahead = undefined;
    } else if (token.type !== "eof") {
      this.#current = this.#lexer.next();
    }
    return token;
  }

  /** Whether the current token has this type. */
  at(type: TokenType): boolean {
    return this.#current.type === type;
  }

  /** Whether the current token is one of these words. */
  atName(...words: readonly string[]): boolean {
    return this.#current.type === "name" && words.includes(this.#current.value);
  }

  /** Whether the token after the current one is this word. */
  nextIsName(word: string): boolean {
    const token = this.look();
    return token.type === "name" && token.value === word;
  }

  /** Reads over a token of this type, if it stands there. */
  skipIf(type: TokenType): boolean {
    if (!this.at(type)) return false;
    this.next();
    return true;
  }

  /** Reads over this word, if it stands there. */
  skipIfName(word: string): boolean {
    if (!this.atName(word)) return false;
    this.next();
    return true;
  }

  /** Reads a token that has to be of this type. */
  expect(type: TokenType): Token {
    if (!this.at(type)) throw this.#unexpected(describeType(type));
    return this.next();
  }

  /** Reads a word that has to stand there. */
  expectName(word: string): Token {
    if (!this.atName(word)) throw this.#unexpected(word);
    return this.next();
  }

  /** A syntax error at a token, by default the current one. */
  error(detail: string, token: Token = this.#current, hint?: string): TemplateError {
    return syntaxError(token, detail, hint);
  }

  /** Parses something one level deeper. */
  nested<T>(parse: () => T): T {
    if (++this.#depth > MAX_DEPTH) throw this.error(`Nested more than ${MAX_DEPTH} levels deep`);
    const result = parse();
    this.#depth--;
    return result;
  }

  /** Refuses a chain of operators, filters or accesses that is too long. */
  checkChain(length: number): void {
    if (length > MAX_DEPTH * 5) throw this.error(`More than ${MAX_DEPTH * 5} operations in one chain`);
  }

  #unexpected(expected: string): TemplateError {
    const token = this.#current;
    if (token.type === "eof") return this.error(`unexpected end of template, expected '${expected}'.`);
    return this.error(
      `expected token '${expected}', got '${describeToken(token)}'`,
      token,
      this.#hint(expected),
    );
  }

  #hint(expected: string): string | undefined {
    if (expected === describeType("variable_end") && this.at("colon")) {
      return FLOW_HINT;
    }
    if (this.at("assign")) return "'=' assigns; compare with '=='";
    return undefined;
  }
}
