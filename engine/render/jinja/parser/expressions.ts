/**
 * Expressions, from the loosest binding to the tightest: condition, or, and, not, comparison, `+ -`, `~`, `* / // %`,
 * `**`, sign, then what follows a primary (attributes, subscripts, calls, filters, tests). The order is Jinja2's, which
 * differs from Python's in places: `~` binds tighter than `+`, `**` goes from left to right, and a sign takes its
 * operand before `**` does.
 */
import type { Place } from "../errors.ts";
import { describeToken, type TokenType } from "../lexer.ts";
import type { Arguments, BinaryOperator, Call, CompareOperator, Expr, Filter, Slice } from "../tree.ts";
import { floatLiteral, intLiteral } from "../values/mod.ts";
import { FLOW_HINT, type TokenStream } from "./token_stream.ts";

const COMPARISONS: ReadonlyMap<TokenType, CompareOperator> = new Map<TokenType, CompareOperator>([
  ["eq", "eq"],
  ["ne", "ne"],
  ["lt", "lt"],
  ["lteq", "lteq"],
  ["gt", "gt"],
  ["gteq", "gteq"],
]);
const SUMS: ReadonlyMap<TokenType, BinaryOperator> = new Map<TokenType, BinaryOperator>([
  ["add", "add"],
  ["sub", "sub"],
]);
const PRODUCTS: ReadonlyMap<TokenType, BinaryOperator> = new Map<TokenType, BinaryOperator>([
  ["mul", "mul"],
  ["div", "div"],
  ["floordiv", "floordiv"],
  ["mod", "mod"],
]);
const POWERS: ReadonlyMap<TokenType, BinaryOperator> = new Map<TokenType, BinaryOperator>([["pow", "pow"]]);
const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["none", null],
  ["None", null],
]);
const BEGINS_TEST_ARGUMENT: ReadonlySet<TokenType> = new Set<TokenType>([
  "name",
  "string",
  "integer",
  "float",
  "lparen",
  "lbracket",
  "lbrace",
]);
const NO_ARGUMENTS: Arguments = { positional: [], named: [], spread: undefined, spreadNamed: undefined };

/** Whether a word is a constant and so no name. */
export function isConstantName(name: string): boolean {
  return CONSTANTS.has(name);
}

/** One expression, a condition included. */
export function parseExpression(stream: TokenStream): Expr {
  return stream.nested(() => parseCondition(stream));
}

/** How {@link parseTuple} reads. */
export interface TupleOptions {
  /** Reads one item; a whole expression by default. */
  readonly item?: (stream: TokenStream) => Expr;
  /** The tuple stands in parentheses and may be empty. */
  readonly inParentheses?: boolean;
}

/** One expression, or a tuple where a comma follows. */
export function parseTuple(stream: TokenStream, options: TupleOptions = {}): Expr {
  const item = options.item ?? parseExpression;
  const items: Expr[] = [];
  let place: Place = stream.current;
  let isTuple = false;
  for (;;) {
    if (items.length > 0) stream.expect("comma");
    if (atTupleEnd(stream)) break;
    items.push(item(stream));
    if (!stream.at("comma")) break;
    isTuple = true;
    place = stream.current;
  }
  const [only] = items;
  if (!isTuple && only !== undefined) return only;
  if (!isTuple && options.inParentheses !== true) {
    const hint = stream.at("variable_end") ? FLOW_HINT : undefined;
    throw stream.error(
      `Expected an expression, got '${describeToken(stream.current)}'`,
      stream.current,
      hint,
    );
  }
  return { kind: "tuple", items, place };
}

/** An expression without a condition, as `if` and `for ... in` take it. */
export function parseWithoutCondition(stream: TokenStream): Expr {
  return stream.nested(() => parseOr(stream));
}

function atTupleEnd(stream: TokenStream): boolean {
  return stream.at("variable_end") || stream.at("block_end") || stream.at("rparen");
}

function parseCondition(stream: TokenStream): Expr {
  let place: Place = stream.current;
  let expr = parseOr(stream);
  for (let length = 0; stream.skipIfName("if"); stream.checkChain(++length)) {
    const test = parseOr(stream);
    const otherwise = stream.skipIfName("else") ? stream.nested(() => parseCondition(stream)) : undefined;
    expr = { kind: "condition", test, then: expr, otherwise, place };
    place = stream.current;
  }
  return expr;
}

function parseOr(stream: TokenStream): Expr {
  return parseLogic(stream, "or", parseAnd);
}

function parseAnd(stream: TokenStream): Expr {
  return parseLogic(stream, "and", parseNot);
}

function parseLogic(stream: TokenStream, kind: "and" | "or", operand: (stream: TokenStream) => Expr): Expr {
  let place: Place = stream.current;
  let left = operand(stream);
  for (let length = 0; stream.skipIfName(kind); stream.checkChain(++length)) {
    left = { kind, left, right: operand(stream), place };
    place = stream.current;
  }
  return left;
}

function parseNot(stream: TokenStream): Expr {
  if (!stream.atName("not")) return parseComparison(stream);
  const place = stream.next();
  return { kind: "not", operand: stream.nested(() => parseNot(stream)), place };
}

function parseComparison(stream: TokenStream): Expr {
  let place: Place = stream.current;
  const first = parseSum(stream);
  const rest: { operator: CompareOperator; operand: Expr }[] = [];
  for (;;) {
    const operator = readComparison(stream);
    if (operator === undefined) break;
    rest.push({ operator, operand: parseSum(stream) });
    place = stream.current;
  }
  return rest.length === 0 ? first : { kind: "compare", first, rest, place };
}

function readComparison(stream: TokenStream): CompareOperator | undefined {
  const symbol = COMPARISONS.get(stream.current.type);
  if (symbol !== undefined) {
    stream.next();
    return symbol;
  }
  if (stream.skipIfName("in")) return "in";
  if (!stream.atName("not") || !stream.nextIsName("in")) return undefined;
  stream.next();
  stream.next();
  return "notin";
}

function parseBinary(
  stream: TokenStream,
  operators: ReadonlyMap<TokenType, BinaryOperator>,
  operand: (stream: TokenStream) => Expr,
): Expr {
  let place: Place = stream.current;
  let left = operand(stream);
  for (let length = 0;; stream.checkChain(++length)) {
    const operator = operators.get(stream.current.type);
    if (operator === undefined) return left;
    stream.next();
    left = { kind: "binary", operator, left, right: operand(stream), place };
    place = stream.current;
  }
}

function parseSum(stream: TokenStream): Expr {
  return parseBinary(stream, SUMS, parseConcat);
}

function parseConcat(stream: TokenStream): Expr {
  const place = stream.current;
  const first = parseProduct(stream);
  const items = [first];
  while (stream.skipIf("tilde")) items.push(parseProduct(stream));
  return items.length === 1 ? first : { kind: "concat", items, place };
}

function parseProduct(stream: TokenStream): Expr {
  return parseBinary(stream, PRODUCTS, parsePower);
}

function parsePower(stream: TokenStream): Expr {
  return parseBinary(stream, POWERS, parseUnary);
}

function parseUnary(stream: TokenStream): Expr {
  return parseFiltersAndTests(stream, parseSigned(stream));
}

function parseSigned(stream: TokenStream): Expr {
  const kind = stream.at("sub") ? "neg" : stream.at("add") ? "pos" : undefined;
  if (kind === undefined) return parsePostfix(stream, parsePrimary(stream));
  const place = stream.next();
  return parsePostfix(stream, { kind, operand: stream.nested(() => parseSigned(stream)), place });
}

/** A literal, a name, or something in brackets. */
export function parsePrimary(stream: TokenStream): Expr {
  const token = stream.current;
  switch (token.type) {
    case "name": {
      stream.next();
      const value = CONSTANTS.get(token.value);
      if (value !== undefined) return { kind: "const", value, place: token };
      return { kind: "name", name: token.value, place: token };
    }
    case "string": {
      let value = "";
      while (stream.at("string")) value += stream.next().value;
      return { kind: "const", value, place: token };
    }
    case "integer":
      return { kind: "const", value: intLiteral(stream.next().value), place: token };
    case "float":
      return { kind: "const", value: floatLiteral(stream.next().value), place: token };
    case "lparen": {
      stream.next();
      const inside = stream.nested(() => parseTuple(stream, { inParentheses: true }));
      stream.expect("rparen");
      return inside;
    }
    case "lbracket":
      return parseList(stream);
    case "lbrace":
      return parseDict(stream);
    default:
      throw stream.error(`unexpected '${describeToken(token)}'`, token);
  }
}

function parseList(stream: TokenStream): Expr {
  const place = stream.expect("lbracket");
  const items: Expr[] = [];
  while (!stream.at("rbracket")) {
    if (items.length > 0) stream.expect("comma");
    if (stream.at("rbracket")) break;
    items.push(parseExpression(stream));
  }
  stream.expect("rbracket");
  return { kind: "list", items, place };
}

function parseDict(stream: TokenStream): Expr {
  const place = stream.expect("lbrace");
  const pairs: { key: Expr; value: Expr }[] = [];
  while (!stream.at("rbrace")) {
    if (pairs.length > 0) stream.expect("comma");
    if (stream.at("rbrace")) break;
    const key = parseExpression(stream);
    stream.expect("colon");
    pairs.push({ key, value: parseExpression(stream) });
  }
  stream.expect("rbrace");
  return { kind: "dict", pairs, place };
}

function parsePostfix(stream: TokenStream, primary: Expr): Expr {
  let expr = primary;
  for (let length = 0;; stream.checkChain(++length)) {
    if (stream.at("dot")) expr = parseAttribute(stream, expr);
    else if (stream.at("lbracket")) expr = parseSubscript(stream, expr);
    else if (stream.at("lparen")) expr = parseCall(stream, expr);
    else return expr;
  }
}

function parseFiltersAndTests(stream: TokenStream, signed: Expr): Expr {
  let expr = signed;
  for (let length = 0;; stream.checkChain(++length)) {
    if (stream.at("pipe")) expr = parseFilter(stream, expr);
    else if (stream.atName("is")) expr = parseTest(stream, expr);
    else if (stream.at("lparen")) expr = parseCall(stream, expr);
    else return expr;
  }
}

function parseAttribute(stream: TokenStream, object: Expr): Expr {
  const place = stream.expect("dot");
  const token = stream.next();
  if (token.type === "name") return { kind: "getattr", object, name: token.value, place };
  if (token.type !== "integer") throw stream.error("expected name or number", token);
  const key: Expr = { kind: "const", value: intLiteral(token.value), place: token };
  return { kind: "getitem", object, key, place };
}

function parseSubscript(stream: TokenStream, object: Expr): Expr {
  const place = stream.expect("lbracket");
  const parts: (Expr | Slice)[] = [];
  while (!stream.at("rbracket")) {
    if (parts.length > 0) stream.expect("comma");
    parts.push(parseSubscriptPart(stream));
  }
  stream.expect("rbracket");
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return { kind: "getitem", object, key: only, place };
  const items = parts.map((part) => {
    if (part.kind === "slice") throw stream.error("a slice cannot stand among several subscripts", place);
    return part;
  });
  return { kind: "getitem", object, key: { kind: "tuple", items, place }, place };
}

function parseSubscriptPart(stream: TokenStream): Expr | Slice {
  const place = stream.current;
  const start = stream.at("colon") ? undefined : parseExpression(stream);
  if (!stream.at("colon")) {
    if (start !== undefined) return start;
  }
  stream.expect("colon");
  const stop = atSliceEnd(stream) ? undefined : parseExpression(stream);
  const step = stream.skipIf("colon") && !atSliceEnd(stream) ? parseExpression(stream) : undefined;
  return { kind: "slice", start, stop, step, place };
}

function atSliceEnd(stream: TokenStream): boolean {
  return stream.at("colon") || stream.at("rbracket") || stream.at("comma");
}

/** A call of what has been read. */
export function parseCall(stream: TokenStream, callee: Expr): Call {
  const place = stream.current;
  return { kind: "call", callee, args: parseArguments(stream), place };
}

function parseArguments(stream: TokenStream): Arguments {
  const open = stream.expect("lparen");
  const positional: Expr[] = [];
  const named: { name: string; value: Expr }[] = [];
  let spread: Expr | undefined;
  let spreadNamed: Expr | undefined;
  const ensure = (fits: boolean): void => {
    if (!fits) throw stream.error("invalid syntax for function call expression", open);
  };
  for (let first = true; !stream.at("rparen"); first = false) {
    if (!first) {
      stream.expect("comma");
      if (stream.at("rparen")) break;
    }
    if (stream.skipIf("mul")) {
      ensure(spread === undefined && spreadNamed === undefined);
      spread = parseExpression(stream);
    } else if (stream.skipIf("pow")) {
      ensure(spreadNamed === undefined);
      spreadNamed = parseExpression(stream);
    } else if (stream.at("name") && stream.look().type === "assign") {
      ensure(spreadNamed === undefined);
      const name = stream.next();
      stream.next();
      named.push({ name: name.value, value: parseExpression(stream) });
    } else {
      ensure(spread === undefined && spreadNamed === undefined && named.length === 0);
      positional.push(parseExpression(stream));
    }
  }
  stream.expect("rparen");
  return { positional, named, spread, spreadNamed };
}

function parseFilter(stream: TokenStream, input: Expr | undefined): Filter {
  stream.expect("pipe");
  return parseFilterCall(stream, input);
}

/** A filter's name and arguments, after its `|`. */
export function parseFilterCall(stream: TokenStream, input: Expr | undefined): Filter {
  const { name, place } = parseDottedName(stream);
  const args = stream.at("lparen") ? parseArguments(stream) : NO_ARGUMENTS;
  return { kind: "filter", input, name, args, place };
}

/** Filters one after another, each on the result of the one before; undefined where no `|` stands. */
export function parseFilterChain(stream: TokenStream, first: Filter | undefined): Filter | undefined {
  let filter = first;
  for (let length = 0; stream.at("pipe"); stream.checkChain(++length)) filter = parseFilter(stream, filter);
  return filter;
}

function parseDottedName(stream: TokenStream): { name: string; place: Place } {
  const place = stream.expect("name");
  let name = place.value;
  while (stream.skipIf("dot")) name += `.${stream.expect("name").value}`;
  return { name, place };
}

function parseTest(stream: TokenStream, input: Expr): Expr {
  const place = stream.expectName("is");
  const negated = stream.skipIfName("not");
  const { name } = parseDottedName(stream);
  const test: Expr = { kind: "test", input, name, args: parseTestArguments(stream), place };
  return negated ? { kind: "not", operand: test, place } : test;
}

function parseTestArguments(stream: TokenStream): Arguments {
  if (stream.at("lparen")) return parseArguments(stream);
  if (!BEGINS_TEST_ARGUMENT.has(stream.current.type) || stream.atName("else", "or", "and")) {
    return NO_ARGUMENTS;
  }
  if (stream.atName("is")) throw stream.error("You cannot chain multiple tests with is");
  const argument = parsePostfix(stream, stream.nested(() => parsePrimary(stream)));
  return { ...NO_ARGUMENTS, positional: [argument] };
}
