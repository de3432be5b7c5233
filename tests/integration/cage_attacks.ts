/**
 * Templates that want out, or want everything: ways out of Jinja2 and nunjucks as they were published, and ways to use up time and memory. Each is one
 * expression or a few statements, and none may come to more than an error or an empty text.
 */

/** What an escape would print: the proof of each payload below, or an object of a host language shown as text. */
export const ESCAPED =
  /escaped|root:.*:0:|uid=\d|native code|<class |<function |<module |<built-in|<bound method|\[object (?!Object\])|=>|function ?\(/;

/** Name → template text of one language. */
export type Attacks = Readonly<Record<string, string>>;

const JS = `"return 'esc' + 'aped'"`;
const READ = `"return Deno.readTextFileSync('/etc/passwd')"`;
const SPAWN = `"return process.mainModule.require('child_process').execSync('id')"`;

const jinja: readonly string[] = [
  // Python's object graph.
  "''.__class__.__mro__[1].__subclasses__()",
  "''.__class__.__mro__[2].__subclasses__()[40]('/etc/passwd').read()",
  "''.__class__.__base__.__subclasses__()",
  "().__class__.__bases__[0].__subclasses__()",
  "[].__class__.__base__.__subclasses__()[104].__init__.__globals__['sys'].modules['os'].popen('id').read()",
  "{}.__class__.__mro__[-1].__subclasses__()",
  "(1).__class__.__base__.__subclasses__()",
  "''['__class__']['__mro__'][1]['__subclasses__']()",
  "''['\\x5f\\x5fclass\\x5f\\x5f']['\\x5f\\x5fmro\\x5f\\x5f'][1]",
  "''|attr('__class__')|attr('__mro__')|attr('__getitem__')(1)|attr('__subclasses__')()",
  "''|attr('\\x5f\\x5fclass\\x5f\\x5f')|attr('\\x5f\\x5fbase\\x5f\\x5f')",
  "''|attr(['__cla','ss__']|join)|attr('__mro__')",
  "''|attr('_'*2~'class'~'_'*2)|attr('__base__')",
  "''.format.__self__.__class__",
  // Globals of Jinja2 and of the frameworks around it.
  "cycler.__init__.__globals__.os.popen('id').read()",
  "joiner.__init__.__globals__.os.popen('id').read()",
  "namespace.__init__.__globals__.os.popen('id').read()",
  "lipsum.__globals__['os'].popen('id').read()",
  "lipsum|attr('__globals__')|attr('__getitem__')('os')",
  "range.__class__.__base__.__subclasses__()",
  "dict.__base__.__subclasses__()",
  "dict.mro()[-1].__subclasses__()",
  "fail.__globals__.__builtins__.open('/etc/passwd').read()",
  "self.__init__.__globals__.__builtins__.__import__('os').popen('id').read()",
  "self._TemplateReference__context.cycler.__init__.__globals__.os.popen('id').read()",
  "self._TemplateReference__context.environment.loader",
  "self.__dict__",
  "config.__class__.from_envvar('x')",
  "config.items()",
  "request.application.__globals__.__builtins__.__import__('os').popen('id').read()",
  "request['__cl' + 'ass__'].__mro__",
  "url_for.__globals__.current_app.config",
  "get_flashed_messages.__globals__.__builtins__.open('/etc/passwd').read()",
  "environment.globals",
  "loop.__class__.__init__.__globals__",
  "undefined_name.__class__.__init__.__globals__",
  "_undefined.__init__.__globals__.__builtins__",
  "caller.__globals__",
  // Format strings.
  "'{0.__class__}'.format(1)",
  "'{0.__class__.__init__.__globals__}'.format(cycler)",
  "'{x.__class__.__mro__}'.format(x='')",
  "'{0[__class__]}'.format(spec)",
  "'{x.__class__}'.format_map({'x': 1})",
  "'%s' % cycler.__init__",
  "'%(x)s' % {'x': ''.__class__}",
  "'{0.__class__}'|format(1)",
  // Filters that look up attributes by name.
  "[cycler]|map(attribute='__init__.__globals__')|list|first",
  "['']|map(attribute='__class__')|list|first",
  "['']|map('attr', '__class__')|first|attr('__mro__')",
  "['']|groupby('__class__')|first",
  "['']|sum(attribute='__class__')",
  "['']|sort(attribute='__class__')|map(attribute='__class__.__mro__')|list",
  "['']|selectattr('__class__')|list|first|attr('__class__')",
  "['']|unique(attribute='__class__')|map(attribute='__doc__')|list",
  "['']|max(attribute='__class__')|attr('__class__')",
  "''|xmlattr",
  "spec|attr('items')|attr('__self__')",
  "(spec.items)|attr('__func__')",
  "(spec|map('upper')).gi_frame.f_globals",
  "(''.join).__self__.__class__",
  // JavaScript's, in case a host shines through.
  `constructor.constructor(${JS})()`,
  `''.constructor.constructor(${JS})()`,
  `[].constructor.constructor(${JS})()`,
  `spec.constructor.constructor(${READ})()`,
  `range.constructor(${SPAWN})()`,
  `cycler.constructor.constructor(${JS})()`,
  `''.sub.constructor(${JS})()`,
  "spec.__proto__.polluted.x",
  "spec.__defineGetter__('a', range)",
  "spec.update({'__proto__': {'polluted': 'escaped'}}) or {}.polluted.x",
];

const nunjucks: readonly string[] = [
  `range.constructor(${JS})()`,
  `range.constructor(${READ})()`,
  `range.constructor(${SPAWN})()`,
  `range.constructor("return global.process.mainModule.require('fs').readFileSync('/etc/passwd')")()`,
  `range["constructor"](${JS})()`,
  `range["con" + "structor"](${JS})()`,
  `range[["constructor"]](${JS})()`,
  `range["\\x63onstructor"](${JS})()`,
  `range["__proto__"]["constructor"](${JS})()`,
  `cycler.constructor(${JS})()`,
  `joiner.constructor(${JS})()`,
  `joiner().constructor(${JS})()`,
  `cycler(1).next.constructor(${JS})()`,
  `cycler(1).constructor.constructor(${JS})()`,
  `fail.constructor(${JS})()`,
  `"".constructor.constructor(${JS})()`,
  `"".sub.constructor(${JS})()`,
  `"".toString.constructor.call({}, ${JS})()`,
  `"".big.constructor.prototype.constructor(${JS})()`,
  `(1).toFixed.constructor(${JS})()`,
  `true.constructor.constructor(${JS})()`,
  `[].constructor.constructor(${JS})()`,
  `[]["filter"]["constructor"](${JS})()`,
  `[]["flat"]["constructor"](${JS})()`,
  `{}.constructor.constructor(${JS})()`,
  `({})["toString"]["constructor"](${JS})()`,
  `spec.constructor.constructor(${JS})()`,
  `spec.__proto__.constructor.constructor(${JS})()`,
  `spec["__proto__"]["polluted"]["x"]()`,
  `spec.toString.constructor(${JS})()`,
  `spec.hasOwnProperty.constructor(${JS})()`,
  `spec.__lookupGetter__("__proto__").constructor(${JS})()`,
  `spec.__defineGetter__("a", range)`,
  `constructor.constructor(${JS})()`,
  `toString.constructor(${JS})()`,
  `__proto__.constructor.constructor(${JS})()`,
  `this.constructor.constructor(${JS})()`,
  `self.constructor.constructor(${JS})()`,
  `globalThis.Deno.readTextFileSync("/etc/passwd")`,
  `process.mainModule.require("child_process").execSync("id")`,
  `require("fs").readFileSync("/etc/passwd")`,
  `Deno.env.toObject()`,
  `Function(${JS})()`,
  `eval("'esc' + 'aped'")`,
  `env.constructor.constructor(${JS})()`,
  `env.loaders[0].getSource("/etc/passwd")`,
  `runtime.constructor.constructor(${JS})()`,
  `context.env.opts`,
  `cb.constructor(${JS})()`,
  `[1] | groupby("constructor") | dump`,
  `[spec] | sum("constructor")`,
  `[spec] | sort(false, false, "constructor") | first | dump`,
  `([spec] | selectattr("constructor"))[0].constructor.constructor(${JS})()`,
  `r/a/.constructor.constructor(${JS})()`,
  `r/a/.test.constructor(${JS})()`,
  `[1, 2].map(range.constructor)`,
  `[${JS}].map("".constructor.constructor)[0]()`,
  `"a".replace("a", range.constructor)`,
  `"a" | replace("a", range.constructor)`,
  `([].entries()).constructor.constructor(${JS})()`,
  `(spec.list.keys()).next.constructor(${JS})()`,
  // Parts of nunjucks' own code, written where it puts a name into its JavaScript.
  `1 is "odd\\").call(context, 1) === (context.ctx.out = typeof Deno + typeof fetch + typeof process + typeof require) || env.getTest(\\"odd"`,
];

/** Files of the language, beyond expressions. */
const statements: Readonly<Record<"jinja2" | "nunjucks", readonly string[]>> = {
  jinja2: [
    `[% include "/etc/passwd" %]`,
    `[% include "../../../../etc/passwd" %]`,
    `[% import "os" as os %][{ os.popen('id') }]`,
    `[% from "os" import popen %][{ popen('id').read() }]`,
    `[% extends "/proc/self/environ" %]`,
    `[% for c in ''.__class__.__base__.__subclasses__() %][{ c }][% endfor %]`,
    `[% set x = namespace() %][% set x.__class__ = 1 %][{ x.__class__.__mro__ }]`,
    `[% set spec.__proto__.polluted = 'escaped' %][{ {}.polluted }]`,
    `[% macro m() %][{ m.__globals__ }][{ varargs.__class__.__base__ }][% endmacro %][{ m() }]`,
    `[% call range.__init__() %][% endcall %]`,
    `[% filter attr('__class__') %]x[% endfilter %]`,
    `[% block b %][{ self.b.__func__.__globals__ }][% endblock %]`,
    `[% with x = cycler.__init__ %][{ x.__globals__.os }][% endwith %]`,
    `[% do cycler.__init__ %]`,
    `[% debug %]`,
  ],
  nunjucks: [
    `[% include "/etc/passwd" %]`,
    `[% include "../../../../etc/passwd" %]`,
    `[% import "child_process" as cp %][{ cp.execSync("id") }]`,
    `[% from "fs" import readFileSync %][{ readFileSync("/etc/passwd") }]`,
    `[% extends "/proc/self/environ" %]`,
    `[% set f = range.constructor %][{ f(${JS})() }]`,
    `[% set __proto__ = {"polluted": "escaped"} %][{ {}.polluted.x.y() }]`,
    `[% for k, v in range %][{ v }][% endfor %][{ nothing() }]`,
    `[% macro m() %][{ caller.constructor(${JS})() }][% endmacro %][% call m() %][% endcall %]`,
    `[% asyncEach x in [range.constructor] %][{ x(${JS})() }][% endeach %]`,
  ],
};

/** Ways out of a language. */
export function escapesOf(language: "jinja2" | "nunjucks"): Attacks {
  const expressions = (language === "jinja2" ? jinja : nunjucks).map((expression) => `[{ ${expression} }]`);
  return Object.fromEntries(
    [...expressions, ...statements[language]].map((text, index) => [`escape-${index}`, text]),
  );
}

/** Ways to use up time, stack, memory and output. */
export function floodsOf(language: "jinja2" | "nunjucks"): Attacks {
  const recursion = `[% macro m() %][{ m() }][% endmacro %][{ m() }]`;
  const endless = "[% for a in range(100000) %][% for b in range(100000) %][% endfor %][% endfor %]";
  if (language === "nunjucks") {
    return {
      "endless-loop": endless,
      "huge-range": "[{ range(1000000000) | length }]",
      "huge-text": "[{ 'a'.repeat(1000000000) }]",
      "large-text": "[{ 'a'.repeat(500000000) | upper }]",
      "recursive-macro": recursion,
      "recursive-include": `[% include "attacks/recursive-include" %]`,
      "large-output": "[% for i in range(100000) %][{ 'x'.repeat(1000) }][% endfor %]",
      "doubling-list": "[% set x = [1] %][% for i in range(64) %][% set x = x.concat(x) %][% endfor %]",
      "doubling-text": "[% set x = 'a' %][% for i in range(64) %][% set x = x + x %][% endfor %][{ x }]",
    };
  }
  return {
    "endless-loop": endless,
    "endless-macro":
      "[% macro m() %][% for b in range(100000) %][% endfor %][% endmacro %][% for a in range(100000) %][{ m() }][% endfor %]",
    "huge-range": "[{ range(10**9) | length }]",
    "huge-text": "[{ 'a' * 10**9 }]",
    "huge-list": "[{ [1] * 10**9 }]",
    "huge-number": "[{ 10 ** (10 ** 8) }]",
    "huge-width": "[{ '%1000000000d' | format(1) }][{ 'a'.ljust(10**9) }]",
    "recursive-macro": recursion,
    "recursive-include": `[% include "attacks/recursive-include" %]`,
    "recursive-loop": "[% for x in [1] recursive %][{ loop([1]) }][% endfor %]",
    "large-output": "[% for i in range(100000) %][{ 'x' * 1000 }][% endfor %]",
    "doubling-list":
      "[% set n = namespace(x=[1]) %][% for i in range(64) %][% set n.x = n.x + n.x %][% endfor %]",
    "doubling-text":
      "[% set n = namespace(x='a') %][% for i in range(64) %][% set n.x = n.x ~ n.x %][% endfor %]",
    "doubling-depth":
      "[% set n = namespace(x=[1]) %][% for i in range(64) %][% set n.x = [n.x, n.x] %][% endfor %][{ n.x == [n.x] }][{ n.x | tojson }]",
    "long-replace": "[{ ('a' * 1000000).replace('a', 'b' * 1000000) }]",
    "product": "[% for a in range(10000) %][{ range(10000) | list | sum }][% endfor %]",
  };
}
