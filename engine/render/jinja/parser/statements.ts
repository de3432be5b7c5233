/**
 * Statements: text, print tags and block tags of one template become a list of statements. A parser knows the tags
 * that it is inside of, so that a wrong or missing end is told by name. What each tag accepts is Jinja2's grammar,
 * including its oddities (a colon may end a tag, `endblock` may repeat the block's name).
 */
import type { Place } from "../errors.ts";
import { didYouMean, type TemplateError } from "../errors.ts";
import { RAW_HINT, type Token } from "../lexer.ts";
import type { Branch, Data, Expr, Parameter, Statement } from "../tree.ts";
import {
  parseExpression,
  parseFilterCall,
  parseFilterChain,
  parseTuple,
  parseWithoutCondition,
} from "./expressions.ts";
import { parseNameTarget, parseTarget } from "./targets.ts";
import type { TokenStream } from "./token_stream.ts";

const END_OF: ReadonlyMap<string, string> = new Map([
  ["if", "endif"],
  ["for", "endfor"],
  ["block", "endblock"],
  ["macro", "endmacro"],
  ["call", "endcall"],
  ["filter", "endfilter"],
  ["set", "endset"],
  ["with", "endwith"],
  ["autoescape", "endautoescape"],
]);
const TAGS: readonly string[] = [
  ...END_OF.keys(),
  "extends",
  "include",
  "import",
  "from",
  "print",
  "raw",
  "elif",
  "else",
];

/** Parses the statements of one template. */
export class StatementParser {
  readonly #stream: TokenStream;
  readonly #open: string[] = [];
  readonly #awaited: (readonly string[])[] = [];

  constructor(stream: TokenStream) {
    this.#stream = stream;
  }

  /** All statements to the end of the template. */
  parseTemplate(): Statement[] {
    return this.#parseUntil(undefined);
  }

  /** Statements up to a tag of one of these names (which is left as the current token), or to the end. */
  #parseUntil(ends: readonly string[] | undefined): Statement[] {
    const stream = this.#stream;
    const body: Statement[] = [];
    let output: (Data | Expr)[] = [];
    const flush = (): void => {
      const [first] = output;
      if (first !== undefined) body.push({ kind: "output", items: output, place: first.place });
      output = [];
    };
    if (ends !== undefined) this.#awaited.push(ends);
    while (!stream.at("eof")) {
      const token = stream.next();
      if (token.type === "data") {
        output.push({ kind: "data", text: token.value, place: token });
      } else if (token.type === "variable_begin") {
        output.push(parseTuple(stream));
        stream.expect("variable_end");
      } else {
        flush();
        if (ends !== undefined && stream.atName(...ends)) break;
        body.push(stream.nested(() => this.#parseStatement()));
        stream.expect("block_end");
      }
    }
    flush();
    if (ends !== undefined) this.#awaited.pop();
    return body;
  }

  /** The body of a tag: what stands after its end up to one of `ends`. */
  #parseBody(...ends: readonly string[]): Statement[] {
    this.#stream.skipIf("colon");
    this.#stream.expect("block_end");
    const body = this.#parseUntil(ends);
    if (this.#stream.at("eof")) {
      this.#awaited.push(ends);
      throw this.#unexpectedTag(undefined);
    }
    return body;
  }

  #parseWholeBody(end: string): Statement[] {
    const body = this.#parseBody(end);
    this.#stream.next();
    return body;
  }

  #parseStatement(): Statement {
    const token = this.#stream.current;
    if (token.type !== "name") throw this.#stream.error("tag name expected", token, RAW_HINT);
    this.#open.push(token.value);
    const statement = this.#parseTag(token);
    this.#open.pop();
    return statement;
  }

  #parseTag(token: Token): Statement {
    switch (token.value) {
      case "if":
        return this.#parseIf();
      case "for":
        return this.#parseFor();
      case "set":
        return this.#parseSet();
      case "block":
        return this.#parseBlock();
      case "macro":
        return this.#parseMacro();
      case "call":
        return this.#parseCallBlock();
      case "filter":
        return this.#parseFilterBlock();
      case "with":
        return this.#parseWith();
      case "autoescape":
        return this.#parseAutoescape();
      case "extends":
        return { kind: "extends", place: this.#stream.next(), template: parseExpression(this.#stream) };
      case "include":
        return this.#parseInclude();
      case "import":
        return this.#parseImport();
      case "from":
        return this.#parseFrom();
      case "print":
        return this.#parsePrint();
      default:
        this.#open.pop();
        throw this.#unexpectedTag(token);
    }
  }

  #parseIf(): Statement {
    const place = this.#stream.expectName("if");
    const branches: Branch[] = [];
    for (let branchPlace: Place = place;;) {
      const test = parseTuple(this.#stream, { item: parseWithoutCondition });
      branches.push({ place: branchPlace, test, body: this.#parseBody("elif", "else", "endif") });
      const end = this.#stream.next();
      if (end.value === "elif") {
        branchPlace = this.#stream.current;
        continue;
      }
      const otherwise = end.value === "else" ? this.#parseWholeBody("endif") : [];
      return { kind: "if", branches, otherwise, place };
    }
  }

  #parseFor(): Statement {
    const stream = this.#stream;
    const place = stream.expectName("for");
    const target = parseTarget(stream);
    stream.expectName("in");
    const items = parseTuple(stream, { item: parseWithoutCondition });
    const test = stream.skipIfName("if") ? parseExpression(stream) : undefined;
    const recursive = stream.skipIfName("recursive");
    const body = this.#parseBody("endfor", "else");
    const otherwise = stream.next().value === "endfor" ? [] : this.#parseWholeBody("endfor");
    return { kind: "for", target, items, test, recursive, body, otherwise, place };
  }

  #parseSet(): Statement {
    const stream = this.#stream;
    const place = stream.next();
    const target = parseTarget(stream, { allowNamespace: true });
    if (stream.skipIf("assign")) return { kind: "set", target, value: parseTuple(stream), place };
    const filter = parseFilterChain(stream, undefined);
    return { kind: "set_block", target, filter, body: this.#parseWholeBody("endset"), place };
  }

  #parseWith(): Statement {
    const stream = this.#stream;
    const place = stream.next();
    const bindings = [];
    while (!stream.at("block_end")) {
      if (bindings.length > 0) stream.expect("comma");
      const target = parseTarget(stream);
      stream.expect("assign");
      bindings.push({ target, value: parseExpression(stream) });
    }
    return { kind: "with", bindings, body: this.#parseWholeBody("endwith"), place };
  }

  #parseAutoescape(): Statement {
    const place = this.#stream.next();
    const value = parseExpression(this.#stream);
    return { kind: "autoescape", value, body: this.#parseWholeBody("endautoescape"), place };
  }

  #parseBlock(): Statement {
    const stream = this.#stream;
    const place = stream.next();
    const name = stream.expect("name").value;
    const scoped = stream.skipIfName("scoped");
    const required = stream.skipIfName("required");
    if (stream.at("sub")) {
      throw stream.error(
        "Block names in Jinja have to be valid Python identifiers and may not contain hyphens, use an underscore instead.",
      );
    }
    const body = this.#parseWholeBody("endblock");
    if (required && !body.every(isBlank)) {
      throw stream.error("Required blocks can only contain comments or whitespace");
    }
    stream.skipIfName(name);
    return { kind: "block", name, scoped, required, body, place };
  }

  #parseMacro(): Statement {
    const place = this.#stream.next();
    const { name } = parseNameTarget(this.#stream);
    const parameters = this.#parseParameters();
    return { kind: "macro", name, parameters, body: this.#parseWholeBody("endmacro"), place };
  }

  #parseParameters(): Parameter[] {
    const stream = this.#stream;
    const parameters: Parameter[] = [];
    stream.expect("lparen");
    while (!stream.at("rparen")) {
      if (parameters.length > 0) stream.expect("comma");
      const target = parseNameTarget(stream);
      const fallback = stream.skipIf("assign") ? parseExpression(stream) : undefined;
      if (fallback === undefined && parameters.some((other) => other.fallback !== undefined)) {
        throw stream.error("non-default argument follows default argument");
      }
      parameters.push({ name: target.name, fallback });
    }
    stream.expect("rparen");
    return parameters;
  }

  #parseCallBlock(): Statement {
    const stream = this.#stream;
    const place = stream.next();
    const parameters = stream.at("lparen") ? this.#parseParameters() : [];
    const call = parseExpression(stream);
    if (call.kind !== "call") throw stream.error("expected call", place);
    return { kind: "call_block", parameters, call, body: this.#parseWholeBody("endcall"), place };
  }

  #parseFilterBlock(): Statement {
    const place = this.#stream.next();
    const first = parseFilterCall(this.#stream, undefined);
    const filter = parseFilterChain(this.#stream, first) ?? first;
    return { kind: "filter_block", filter, body: this.#parseWholeBody("endfilter"), place };
  }

  #parsePrint(): Statement {
    const stream = this.#stream;
    const place = stream.next();
    const items: Expr[] = [];
    while (!stream.at("block_end")) {
      if (items.length > 0) stream.expect("comma");
      items.push(parseExpression(stream));
    }
    return { kind: "output", items, place };
  }

  #parseInclude(): Statement {
    const stream = this.#stream;
    const place = stream.next();
    const template = parseExpression(stream);
    const ignoreMissing = stream.atName("ignore") && stream.nextIsName("missing");
    if (ignoreMissing) {
      stream.next();
      stream.next();
    }
    return { kind: "include", template, ignoreMissing, withContext: this.#parseContext() ?? true, place };
  }

  #parseImport(): Statement {
    const stream = this.#stream;
    const place = stream.next();
    const template = parseExpression(stream);
    stream.expectName("as");
    const { name } = parseNameTarget(stream);
    return { kind: "import", template, name, withContext: this.#parseContext() ?? false, place };
  }

  #parseFrom(): Statement {
    const stream = this.#stream;
    const place = stream.next();
    const template = parseExpression(stream);
    stream.expectName("import");
    const names: { name: string; alias: string }[] = [];
    let withContext: boolean | undefined;
    for (;;) {
      if (names.length > 0) stream.expect("comma");
      if (!stream.at("name")) stream.expect("name");
      withContext = this.#parseContext();
      if (withContext !== undefined) break;
      const target = parseNameTarget(stream);
      if (target.name.startsWith("_")) {
        throw stream.error("names starting with an underline can not be imported", {
          ...stream.current,
          ...target.place,
        });
      }
      const alias = stream.skipIfName("as") ? parseNameTarget(stream).name : target.name;
      names.push({ name: target.name, alias });
      withContext = this.#parseContext();
      if (withContext !== undefined || !stream.at("comma")) break;
    }
    return { kind: "from_import", template, names, withContext: withContext ?? false, place };
  }

  /** `with context` or `without context`, where it stands. */
  #parseContext(): boolean | undefined {
    const stream = this.#stream;
    if (!stream.atName("with", "without") || !stream.nextIsName("context")) return undefined;
    const withContext = stream.next().value === "with";
    stream.next();
    return withContext;
  }

  /** The error for a tag that is not known or not open here, or for the end of the template (no token). */
  #unexpectedTag(token: Token | undefined): TemplateError {
    const awaited = this.#awaited.at(-1);
    const innermost = this.#open.at(-1);
    const message = [
      token === undefined ? "Unexpected end of template." : `Encountered unknown tag '${token.value}'.`,
    ];
    if (awaited !== undefined) {
      const wanted = awaited.map((name) => `'${name}'`).join(" or ");
      message.push(
        token !== undefined && this.#awaited.some((names) => names.includes(token.value))
          ? `You probably made a nesting mistake. Jinja is expecting this tag, but currently looking for ${wanted}.`
          : `Jinja was looking for the following tags: ${wanted}.`,
      );
    }
    if (innermost !== undefined) {
      message.push(`The innermost block that needs to be closed is '${innermost}'.`);
    }
    const known = [...TAGS, ...(awaited ?? [])];
    const hint = token === undefined ? undefined : didYouMean(token.value, known) ?? RAW_HINT;
    return this.#stream.error(message.join(" "), token ?? this.#stream.current, hint);
  }
}

function isBlank(statement: Statement): boolean {
  return statement.kind === "output" &&
    statement.items.every((item) => item.kind === "data" && item.text.trim() === "");
}
