/**
 * npm:nunjucks, as far as it is used, with types, and its compiler taught to say where it is. Sole importer of the package.
 *
 * The library knows the line of an error only for calls, off by one, and asks nobody whether to go on. So the compiler's code for the statements
 * that print, loop, call and filter is replaced: what a template means stays as it was, and while it runs it tells its environment
 * (`TemplateEnvironment`) its place, which may stop it. The names through which templates reach JavaScript's own objects are not there.
 */
import imported from "nunjucks/browser/nunjucks.js";

/** A node of the library's syntax tree; positions are 0-based. */
export interface SyntaxNode {
  readonly typename: string;
  readonly lineno: number;
  readonly colno: number;
  readonly value?: unknown;
  readonly children: readonly SyntaxNode[];
  readonly name: SyntaxNode;
  readonly args: SyntaxNode;
}

type Emit<Rest extends readonly unknown[] = readonly unknown[]> = (node: SyntaxNode, ...rest: Rest) => void;

/** The library's compiler, at work on one template. */
interface Compiler {
  readonly templateName: string;
  buffer: string | null;
  readonly inBlock: boolean;
  captures?: number;
  _emit(code: string): void;
  _emitLine(code: string): void;
  _emitFuncBegin(node: SyntaxNode, name: string): void;
  _emitFuncEnd(noReturn?: boolean): void;
  _emitLoopBindings(...args: readonly unknown[]): void;
  _closeScopeLevels(): void;
  _compileAggregate(node: SyntaxNode, frame: unknown, open: string, close: string): void;
  _compileExpression(node: SyntaxNode, frame: unknown): void;
  _getNodeName(node: SyntaxNode): string;
  compile(node: SyntaxNode, frame: unknown): void;
  compileLiteral: Emit;
  compileOutput: Emit<[unknown]>;
  compileFunCall: Emit<[unknown]>;
  compileFilter: Emit<[unknown]>;
  compileCapture: Emit;
  compileFor: Emit;
  compileIf: Emit;
  compileSet: Emit;
  compileSwitch: Emit;
  compileInclude: Emit;
  compileImport: Emit;
  compileFromImport: Emit;
  compileExtends: Emit;
  compileBlock: Emit;
  compileAsyncEach: Emit;
  compileAsyncAll: Emit;
  compileSuper: Emit;
}

/** What compiled code is: functions that the library calls. */
export type CompiledTemplate = Readonly<Record<string, unknown>>;

/** A function of templates: a filter, a global. */
export type TemplateFunction = (...args: readonly unknown[]) => unknown;

/** The environment of the library; ours extends it. */
export interface Environment {
  readonly opts: EnvironmentOptions;
  globals: Record<string, unknown>;
  addFilter(name: string, filter: TemplateFunction): unknown;
  getFilter(name: string): TemplateFunction;
  getTemplate(
    name: string,
    eagerCompile: boolean,
  ): { render(values: Readonly<Record<string, unknown>>): unknown };
}

/** Options of the library. */
export interface EnvironmentOptions {
  readonly dev: boolean;
  readonly autoescape: boolean;
  readonly throwOnUndefined: boolean;
  readonly trimBlocks: boolean;
  readonly lstripBlocks: boolean;
  readonly tags: Readonly<Record<string, string>>;
}

/** Where the library gets compiled templates from; null for one that is not there. Throws to fail the template that asks. */
export interface Loader {
  getSource(
    name: string,
  ): { readonly src: { type: "code"; obj: CompiledTemplate }; readonly path: string } | null;
}

interface Frame {
  lookup(name: string): unknown;
}

interface Context {
  readonly ctx: Readonly<Record<string, unknown>>;
  readonly env: { readonly globals: Readonly<Record<string, unknown>> };
}

interface Runtime {
  callWrap(called: unknown, name: string, context: unknown, args: readonly unknown[]): unknown;
  memberLookup(object: unknown, key: unknown): unknown;
  contextOrFrameLookup(context: Context, frame: Frame, name: string): unknown;
}

/** The package. */
export interface Nunjucks {
  readonly Environment: new (loader: Loader, options: EnvironmentOptions) => Environment;
  readonly compiler: {
    readonly Compiler: { readonly prototype: Compiler };
    compile(
      text: string,
      asyncFilters: readonly unknown[],
      extensions: readonly unknown[],
      name: string,
      options: EnvironmentOptions,
    ): string;
  };
  readonly runtime: Runtime;
}

function isNunjucks(value: unknown): value is Nunjucks {
  return typeof value === "object" && value !== null && "Environment" in value && "compiler" in value &&
    "runtime" in value;
}

/** Names by which values lead to JavaScript's own objects. As keys of data they are what they are. */
export const HOST_NAMES: ReadonlySet<string> = new Set([
  ...["constructor", "__proto__", "prototype", "caller", "callee", "arguments"],
  ...["__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__"],
]);

/** Statements that begin with a note of their place. */
const STATEMENTS = [
  ...["compileFor", "compileIf", "compileSet", "compileSwitch", "compileAsyncEach", "compileAsyncAll"],
  ...[
    "compileInclude",
    "compileImport",
    "compileFromImport",
    "compileExtends",
    "compileBlock",
    "compileSuper",
  ],
] as const;

/** A place as compiled code notes it: `line:column:template`, 1-based. */
function placeOf(compiler: Compiler, { lineno, colno }: SyntaxNode): string {
  return JSON.stringify(`${lineno + 1}:${colno + 1}:${compiler.templateName}`);
}

/** Notes which place begins what is printed next; only for what goes straight into the template's output. */
function emitMark(compiler: Compiler, node: SyntaxNode, isText: boolean): void {
  if (compiler.buffer !== "output" || compiler.inBlock || (compiler.captures ?? 0) > 0) return;
  compiler._emitLine(`marks.push(output.length, ${placeOf(compiler, node)}, ${isText});`);
}

const REPLACED: Partial<Compiler> & ThisType<Compiler> = {
  compileOutput(node, frame) {
    for (const child of node.children) {
      const isText = child.typename === "TemplateData";
      if (isText && child.value === "") continue;
      if (!isText) this._emitLine(`env.place = ${placeOf(this, child)};`);
      emitMark(this, child, isText);
      this._emit(`${this.buffer} += ${isText ? "" : "env.printed("}`);
      if (isText) this.compileLiteral(child);
      else this.compile(child, frame);
      this._emitLine(isText ? ";" : ");");
    }
  },
  compileFunCall(node, frame) {
    this._emit("env.called(");
    this._compileExpression(node.name, frame);
    this._emit(`, ${JSON.stringify(this._getNodeName(node.name))}, context, `);
    this._compileAggregate(node.args, frame, "[", "]");
    this._emit(`, ${placeOf(this, node)})`);
  },
  compileFilter(node, frame) {
    this._emit(`env.filtered(${JSON.stringify(node.name.value)}, context, `);
    this._compileAggregate(node.args, frame, "[", "]");
    this._emit(`, ${placeOf(this, node)})`);
  },
  _emitFuncEnd(noReturn) {
    if (noReturn !== true) this._emitLine(`cb(null, ${this.buffer});`);
    this._closeScopeLevels();
    this._emitLine("} catch (error) { cb(env.failed(error)); }");
    this._emitLine("}");
    this.buffer = null;
  },
};

function teachPlaces(compiler: Compiler): void {
  Object.assign(compiler, REPLACED);
  for (const name of STATEMENTS) {
    const original = compiler[name];
    compiler[name] = function (this: Compiler, node, ...rest) {
      this._emitLine(`env.place = ${placeOf(this, node)};`);
      if (name === "compileInclude" || name === "compileBlock") emitMark(this, node, false);
      original.call(this, node, ...rest);
    };
  }
  const { compileCapture, _emitLoopBindings, _emitFuncBegin } = compiler;
  compiler.compileCapture = function (this: Compiler, node, ...rest) {
    this.captures = (this.captures ?? 0) + 1;
    compileCapture.call(this, node, ...rest);
    this.captures--;
  };
  // Called once at the begin of each loop's body.
  compiler._emitLoopBindings = function (this: Compiler, ...args) {
    this._emitLine(`env.tick(${this.buffer});`);
    _emitLoopBindings.call(this, ...args);
  };
  // The outermost template is over last; one that extends another has printed nothing itself.
  compiler._emitFuncBegin = function (this: Compiler, node, name) {
    _emitFuncBegin.call(this, node, name);
    if (name !== "root") return;
    this._emitLine("var marks = [], done = cb;");
    this._emitLine("cb = function (e, text) { if (!parentTemplate) env.marks = marks; done(e, text); };");
  };
}

function hideHost(runtime: Runtime): void {
  const { memberLookup } = runtime;
  runtime.memberLookup = (object, key) => {
    if (typeof object === "function") return undefined;
    if (!HOST_NAMES.has(String(key))) return memberLookup(object, key);
    return typeof object === "object" && object !== null && Object.hasOwn(object, String(key))
      ? Reflect.get(object, String(key))
      : undefined;
  };
  runtime.contextOrFrameLookup = ({ ctx, env: { globals } }, frame, name) => {
    const value = frame.lookup(name);
    if (value !== undefined) return value;
    if (Object.hasOwn(ctx, name)) return ctx[name];
    return Object.hasOwn(globals, name) ? globals[name] : undefined;
  };
}

function prepare(library: unknown): Nunjucks {
  if (!isNunjucks(library)) throw new Error("npm:nunjucks is not what it was in version 3.2.4");
  teachPlaces(library.compiler.Compiler.prototype);
  hideHost(library.runtime);
  return library;
}

/** The library, made ready once for the module that loads it. */
export const NUNJUCKS: Nunjucks = prepare(imported);
