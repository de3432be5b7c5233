import assert from "node:assert/strict";
import { compileTemplates } from "./environment.ts";
import { LimitError } from "./limits.ts";
import { templatePositionOf } from "./output.ts";
import { render, renderFailure } from "./testing.ts";
import { PyCallable, PyDict } from "./values/mod.ts";

Deno.test("compileTemplates tells the syntax errors of all templates, and the others can be rendered", () => {
  const bundle = compileTemplates(
    new Map([["a", "[% if %]"], ["b", "fine"], ["c", "x\n[{ 1|nope }]"], ["d", "[% include 'a' %]"]]),
  );
  assert.deepEqual(bundle.errors.map(({ template, line }) => `${template}:${line}`), ["a:1", "c:2"]);
  assert.equal(bundle.render("b", new PyDict()).text, "fine");
  assert.throws(() => bundle.render("a", new PyDict()), {
    name: "TemplateError",
    template: "a",
    kind: "syntax",
  });
  assert.throws(() => bundle.render("d", new PyDict()), {
    name: "TemplateError",
    template: "a",
    kind: "syntax",
  });
  assert.throws(() => bundle.render("bb", new PyDict()), { message: /No template 'bb'.*Did you mean 'b'/ });
});

Deno.test("a render leaves nothing for the next one", () => {
  const bundle = compileTemplates(
    new Map([
      [
        "counter",
        "[% set ns = namespace(n=0) %][% macro next() %][% set ns.n = ns.n + 1 %][{ ns.n }][% endmacro %]",
      ],
      ["main", "[% from 'counter' import next %][{ next() }][{ next() }]"],
    ]),
  );
  for (let i = 0; i < 3; i++) assert.equal(bundle.render("main", new PyDict()).text, "12");
});

Deno.test("a render tells which template line began each line of the output", () => {
  const bundle = compileTemplates(
    new Map([["main", "a:\n[%- for i in [1, 2] %]\n- [{ i }]\n[%- endfor %]\n[% include 'part' %]"], [
      "part",
      "[# note #]\nb: 1\nc: 2",
    ]]),
  );
  const { text, lines } = bundle.render("main", new PyDict());
  assert.equal(text, "a:\n- 1\n- 2\n\nb: 1\nc: 2");
  const positions = text.split("\n").map((_, i) => {
    const position = templatePositionOf(lines, i + 1);
    return `${position?.template}:${position?.line}`;
  });
  assert.deepEqual(positions, ["main:1", "main:3", "main:3", "part:1", "part:2", "part:3"]);
});

Deno.test("errors at run time name template, line, column and kind, and suggest names", () => {
  const setup = {
    context: { spec: { network: {} }, replicas: 1 },
    templates: { part: "\n[{ spec.netwrok.cidr }]" },
  };
  const attribute = renderFailure("a\n[% include 'part' %]", setup);
  assert.deepEqual(
    [attribute.template, attribute.line, attribute.column, attribute.kind],
    ["part", 2, 16, "undefined"],
  );
  assert.match(attribute.message, /has no attribute 'netwrok'[^]*Did you mean 'network'\?/);
  assert.match(
    renderFailure("[{ replica.x }]", setup).message,
    /'replica' is undefined[^]*Did you mean 'replicas'\?/,
  );
  assert.match(
    renderFailure("[% include 'prat' %]", setup).message,
    /'prat' not found[^]*Did you mean 'part'\?/,
  );
  assert.match(renderFailure("[% set width = 1 %][{ widht + 1 }]").message, /Did you mean 'width'\?/);
  const json = renderFailure("[{ {'a': [replica]} | tojson }]", setup);
  assert.deepEqual(
    [json.kind, json.detail, json.hint],
    [
      "type",
      "Object of type Undefined is not JSON serializable",
      "'replica' is undefined. Did you mean 'replicas'?",
    ],
  );
  assert.equal(renderFailure("[{ x|tojson }]").hint, "'x' is undefined");
  assert.match(renderFailure("[{ 'a'|uper }]").message, /No filter named 'uper'[^]*Did you mean 'upper'\?/);
});

Deno.test("globals are seen in imported macros too, and the context hides them", () => {
  const globals = new Map([["shout", new PyCallable("shout", ([text]) => `${text}!`)]]);
  const templates = { lib: "[% macro m() %][{ shout('a') }][% endmacro %]" };
  assert.equal(render("[% from 'lib' import m %][{ m() }][{ shout('b') }]", { globals, templates }), "a!b!");
  assert.equal(render("[{ shout }]", { globals, context: { shout: "text" } }), "text");
});

Deno.test("a global that the context hides by a text can be called where that is asked for", () => {
  const context = { namespace: "team-a" };
  const template = "[% set ns = namespace(n=1) %][{ ns.n }][{ namespace }]";
  assert.equal(renderFailure(template, { context }).kind, "type");
  assert.equal(render(template, { context, callsHiddenGlobals: true }), "1team-a");
  assert.equal(renderFailure("[% set range = 1 %][{ range(2) }]", { callsHiddenGlobals: true }).kind, "type");
});

Deno.test("a render stops at its output limit", () => {
  const bundle = compileTemplates(
    new Map([
      ["direct", "[% for i in range(100) %]0123456789[% endfor %]"],
      ["captured", "[% set x %][% for i in range(100) %]0123456789[% endfor %][% endset %]"],
    ]),
  );
  for (const name of ["direct", "captured"]) {
    assert.throws(
      () => bundle.render(name, new PyDict(), { maxOutputBytes: 500 }),
      (error) =>
        error instanceof Error && error.cause instanceof LimitError && /500 bytes/.test(error.message),
    );
    assert.doesNotThrow(() => bundle.render(name, new PyDict(), { maxOutputBytes: 1000 }));
  }
});

Deno.test("recursion of any kind ends in an error", () => {
  const templates = {
    inc: "[% include 'inc' %]",
    ext: "[% extends 'ext' %]",
    imp: "[% import 'imp' as i %]",
  };
  const recursive = [
    "[% macro m() %][{ m() }][% endmacro %][{ m() }]",
    "[% include 'inc' %]",
    "[% extends 'ext' %]",
    "[% import 'imp' as i %]",
    "[% set a = [] %][% set _ = a.append(a) %][% for x in a recursive %][{ loop(x) }][% endfor %]",
    "[% block b %][{ self.b() }][% endblock %]",
    "[% macro m() %][{ caller() }][% endmacro %][% macro n() %][% call m() %][{ n() }][% endcall %][% endmacro %][{ n() }]",
  ];
  for (const template of recursive) {
    const error = renderFailure(template, { templates });
    assert.deepEqual([error.kind, /Recursion is deeper/.test(error.message)], ["runtime", true], template);
  }
  const nested = 40;
  const heavy = "[% for a in [1] %][% if 1 %]".repeat(nested) +
    `[{ ${"[".repeat(nested)}m()${"]".repeat(nested)} }]` +
    "[% endif %][% endfor %]".repeat(nested);
  assert.match(
    renderFailure(`[% macro m() %]${heavy}[% endmacro %][{ m() }]`).message,
    /Recursion is deeper/,
  );
});
