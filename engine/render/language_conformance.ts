/**
 * What every TemplateLanguage must keep, as tests: whatever its templates look like, values reach them whole and in order, errors say where,
 * limits hold, equal input prints equal text, and nothing of the engine is there to be printed or called. Imported by tests only.
 */
import assert from "node:assert/strict";
import type { CompiledTemplates, LanguageOptions, TemplateLanguage } from "./language.ts";
import { RenderError, type RenderErrorKind } from "./render_error.ts";

/** A language to test, and how it writes what the tests say. */
export interface LanguageSubject {
  readonly language: TemplateLanguage;
  /** What stands behind `for key, value in` to walk the mapping `spec`. */
  readonly pairs: string;
  /** The filter that prints JSON. */
  readonly json: string;
  /** Begins a loop of 10^9 turns or more, without making a list of them. */
  readonly endless: readonly [begin: string, end: string];
}

/** Registers one test with a step for each promise. */
export function templateLanguageConformance(name: string, subject: LanguageSubject): void {
  Deno.test(`${name} keeps the contract of TemplateLanguage`, async (t) => {
    for (const [promise, check] of Object.entries(CHECKS)) {
      await t.step(promise, () => check(new Bench(subject)));
    }
  });
}

/** Templates and values in, text or an error out. */
class Bench {
  readonly subject: LanguageSubject;

  constructor(subject: LanguageSubject) {
    this.subject = subject;
  }

  compile(
    sources: Readonly<Record<string, string>>,
    options: Partial<LanguageOptions> = {},
    required = Object.keys(sources),
  ): CompiledTemplates {
    return this.subject.language.compile(new Map(Object.entries(sources)), required, {
      undefined: "lenient",
      trimBlocks: false,
      lstripBlocks: false,
      outputBytes: 4 * 1024 * 1024,
      renderMs: 2000,
      interrupted: () => false,
      ...options,
    });
  }

  print(
    template: string | Readonly<Record<string, string>>,
    values: Readonly<Record<string, string>> = {},
    options: Partial<LanguageOptions> = {},
  ): string {
    const sources = typeof template === "string" ? { "a/b.yaml": template } : template;
    return this.compile(sources, options).open(new Map(Object.entries(values))).render("a/b.yaml").text;
  }

  failure(action: () => unknown): RenderError {
    try {
      action();
    } catch (error) {
      assert.ok(error instanceof RenderError, String(error));
      return error;
    }
    assert.fail("Did not fail");
  }

  /** The template fails with one of these kinds, at this line and, where it is given, column. */
  fails(
    template: string | Readonly<Record<string, string>>,
    { kinds, line, column, words, ...options }: {
      readonly kinds: readonly RenderErrorKind[];
      readonly line: number;
      readonly column?: number;
      readonly words?: RegExp;
    } & Partial<LanguageOptions>,
  ): void {
    const error = this.failure(() => this.print(template, { spec: "{}" }, options));
    const shown = JSON.stringify(error.problems);
    assert.ok(kinds.includes(error.kind), shown);
    assert.equal(error.line, line, shown);
    if (column !== undefined) assert.equal(error.column, column, shown);
    assert.match(error.message, words ?? /./);
    const text = typeof template === "string" ? template : template[error.template ?? ""];
    assert.equal(error.sourceLine, text?.split("\n")[line - 1], shown);
  }
}

const CHECKS: Readonly<Record<string, (bench: Bench) => void>> = {
  "values come in the order of their text, keys that look like integers, too"(bench) {
    const template = `[% for key, value in ${bench.subject.pairs} %][{ key }]=[{ value }] [% endfor %]`;
    assert.equal(bench.print(template, { spec: `{"10":"a","b":"c","2":"d","":"e"}` }), "10=a b=c 2=d =e ");
    const json = bench.print(`[{ spec | ${bench.subject.json} }]`, { spec: `{"a":[],"b":{"10":1,"9":2}}` });
    assert.equal(json.replaceAll(/\s/g, ""), `{"a":[],"b":{"10":1,"9":2}}`);
  },

  "integers beyond 2^53 are printed as they are"(bench) {
    const values = { spec: `{"n":12345678901234567890,"s":9007199254740993}` };
    assert.equal(bench.print("[{ spec.n }] [{ spec.s }]", values), "12345678901234567890 9007199254740993");
    assert.match(bench.print(`[{ spec | ${bench.subject.json} }]`, values), /12345678901234567890/);
  },

  "names of JavaScript are keys like all others"(bench) {
    const spec = `{"__proto__":{"a":1},"constructor":"c","prototype":"p","toString":"t"}`;
    assert.equal(
      bench.print("[{ spec.__proto__.a }] [{ spec.constructor }] [{ spec.prototype }]", { spec }),
      "1 c p",
    );
    const json = bench.print(`[{ spec | ${bench.subject.json} }]`, { spec });
    assert.equal(json.replaceAll(/\s/g, ""), spec);
    assert.equal(Reflect.get({}, "a"), undefined);
  },

  "text is printed as it is, and no value is read as a template"(bench) {
    const text = `<b> & "q" 'a' {{ x }} [{ 7 * 7 }] 😀`;
    assert.equal(bench.print("[{ spec }]", { spec: JSON.stringify(text) }), text);
  },

  "includes and imports are found among the sources, and nowhere else"(bench) {
    const sources = {
      "a/b.yaml": `[% import "a/macros" as m %][% include "a/part" %] [{ m.twice(spec) }]`,
      "a/macros": "[% macro twice(x) %][{ x }][{ x }][% endmacro %]",
      "a/part": "part [{ spec }]",
    };
    assert.equal(bench.print(sources, { spec: "7" }), "part 7 77");
    bench.fails(`\n  [% include "/etc/passwd" %]`, {
      kinds: ["undefined", "runtime", "syntax"],
      line: 2,
      words: /\/etc\/passwd/,
    });
    bench.fails(`[% include "../deno.json" %]`, { kinds: ["undefined", "runtime", "syntax"], line: 1 });
  },

  "what one template does to its values is not seen by the next, values that are set are"(bench) {
    const compiled = bench.compile({
      "a/b.yaml": "[% set name = 'x' %][{ spec.list | sort | join }]",
      "a/c": "[{ name }]",
    });
    const session = compiled.open(new Map([["spec", `{"list":[2,1]}`], ["name", `"toy"`]]));
    session.render("a/b.yaml");
    assert.equal(session.render("a/c").text, "toy");
    session.set(new Map([["name", `"set"`]]));
    assert.equal(session.render("a/c").text, "set");
  },

  "a template that does not compile is refused at its line, one that nobody needs is not"(bench) {
    const sources = { "a/b.yaml": "fine", "a/c": "\n\n  [% if %]", "a/d": "[{ 1 +" };
    const error = bench.failure(() => bench.compile(sources));
    assert.deepEqual(error.problems.map(({ kind, template, line }) => [kind, template, line]), [
      ["syntax", "a/c", 3],
      ["syntax", "a/d", 1],
    ]);
    assert.equal(error.sourceLine, "  [% if %]");
    const compiled = bench.compile(sources, {}, ["a/b.yaml"]);
    assert.equal(compiled.open(new Map()).render("a/b.yaml").text, "fine");
    const includes = { ...sources, "a/b.yaml": `[% include "a/c" %]` };
    const late = bench.failure(() =>
      bench.compile(includes, {}, ["a/b.yaml"]).open(new Map()).render("a/b.yaml")
    );
    assert.deepEqual([late.kind, late.template, late.line], ["syntax", "a/c", 3]);
  },

  "errors of a render say kind, template, line and column"(bench) {
    bench.fails("a\n\n  [{ spec.nothing() }]", {
      kinds: ["undefined", "type"],
      line: 3,
      words: /nothing/,
    });
    bench.fails("a\n[{ 'x' | nofilter }]", { kinds: ["runtime", "syntax"], line: 2, words: /nofilter/ });
    bench.fails("a\n[{ spec.nothing }]", { kinds: ["undefined"], line: 2, undefined: "strict" });
    bench.fails("[% if true %]\n\n[{ fail('Set a quota') }][% endif %]", {
      kinds: ["runtime"],
      line: 3,
      words: /Set a quota/,
    });
    bench.fails("[% for x in [1] %]\n  [{ fail('no') }]\n[% endfor %]", { kinds: ["runtime"], line: 2 });
  },

  "an error in an included template or an imported macro is told there"(bench) {
    const part = { "a/part": "one\n[{ fail('here') }]" };
    const macro = { "a/m": "\n\n[% macro m() %][{ fail('here') }][% endmacro %]" };
    for (
      const { template, at, ...sources } of [
        { "a/b.yaml": `\n[% include "a/part" %]`, ...part, template: "a/part", at: 2 },
        { "a/b.yaml": `\n[% import "a/m" as m %][{ m.m() }]`, ...macro, template: "a/m", at: 3 },
      ]
    ) {
      const error = bench.failure(() => bench.print(sources));
      assert.deepEqual([error.template, error.line], [template, at]);
      assert.match(error.message, /here/);
    }
  },

  "lines of the output are known by the line that printed them"(bench) {
    const template = "a: 1\n[% if true -%]\n\n  b: 2\n  c: [{ spec }]\n[% endif %]\nd: 4\n";
    const printed = bench.compile({ "a/b.yaml": template }).open(new Map([["spec", `"x\\ny"`]]))
      .render("a/b.yaml");
    const lineOf = (text: string) => {
      const line = printed.text.split("\n").findIndex((one) => one.includes(text)) + 1;
      return printed.positionOf(line)?.line;
    };
    assert.deepEqual(["a: 1", "b: 2", "c: x", "y", "d: 4"].map(lineOf), [1, 4, 5, 5, 7]);
    assert.equal(printed.positionOf(1)?.template, "a/b.yaml");
  },

  "a loop ends when it is told to, at its place"(bench) {
    const [begin, end] = bench.subject.endless;
    let asked = 0;
    bench.fails(`\n${begin}${end}`, { kinds: ["limit"], line: 2, interrupted: () => ++asked > 3 });
  },

  "a macro that calls itself, a large range and a long text end as errors at their line"(bench) {
    bench.fails(`[% macro m() %]\n[{ m() }][% endmacro %][{ m() }]`, {
      kinds: ["limit", "runtime"],
      line: 2,
    });
    bench.fails("\n[{ range(1000000000) }]", { kinds: ["limit", "runtime"], line: 2 });
    bench.fails("\n[% for i in range(20000) %]xxxxxxxxxx[% endfor %]", {
      kinds: ["limit"],
      line: 2,
      outputBytes: 100_000,
    });
    bench.fails("[% for i in range(2000) %]" + "x".repeat(100) + "[% endfor %]", {
      kinds: ["limit"],
      line: 1,
      outputBytes: 100_000,
    });
  },

  "nothing of the engine or of JavaScript can be reached or printed"(bench) {
    const host = /native code|\bfunction\b.*\{|=>|\[object (?!Object\])|[Cc]onstructor\b.*\{/;
    for (const expression of HOST_PROBES) {
      const template = `[{ ${expression} }]`;
      let text = "";
      try {
        text = bench.print(template, { spec: `{"list":[1],"text":"t"}` });
      } catch (error) {
        assert.ok(error instanceof RenderError, `${expression}: ${error}`);
        text = error.problems.map(({ message }) => message).join();
      }
      assert.doesNotMatch(text, host, expression);
      assert.ok(!text.includes("escaped"), `${expression} ran code: ${text}`);
    }
  },

  "equal input prints equal text"(bench) {
    const template =
      `[% for key, value in ${bench.subject.pairs} %][{ key }]: [{ value | ${bench.subject.json} }]\n[% endfor %]`;
    const compiled = bench.compile({ "a/b.yaml": template });
    const values = new Map([["spec", `{"b":[1,2.5,"x"],"a":{"c":null,"10":true}}`]]);
    const texts = new Set<string>();
    for (let round = 0; round < 100; round++) texts.add(compiled.open(values).render("a/b.yaml").text);
    assert.equal(texts.size, 1);
  },

  "chance and clock are not there"(bench) {
    const error = bench.failure(() => bench.print("\n[{ [1, 2, 3] | random }]"));
    assert.equal(error.line, 2);
    for (const name of ["now", "Date", "Math", "globalThis", "Deno", "process", "performance"]) {
      assert.equal(bench.print(`[{ ${name} }]`), "", name);
    }
  },
};

/** Published ways out of template engines; each would print `escaped`, or the source of a function. */
const HOST_PROBES = [
  ...["range", "cycler", "fail", "joiner", "spec.list.push", "spec.text.replace", "spec.constructor"],
  `range.constructor("return 'esc' + 'aped'")()`,
  `spec.constructor.constructor("return 'esc' + 'aped'")()`,
  `spec.list.constructor.constructor("return 'esc' + 'aped'")()`,
  `spec.text.constructor.constructor("return 'esc' + 'aped'")()`,
  `spec.text.sub.constructor("return 'esc' + 'aped'")()`,
  `(1).constructor.constructor("return 'esc' + 'aped'")()`,
  `spec["constructor"]["constructor"]("return 'esc' + 'aped'")()`,
  `spec["con" + "structor"]["con" + "structor"]("return 'esc' + 'aped'")()`,
  `spec[["constructor"]][["constructor"]]("return 'esc' + 'aped'")()`,
  `constructor.constructor("return 'esc' + 'aped'")()`,
  `toString.constructor("return 'esc' + 'aped'")()`,
  `__proto__.constructor.constructor("return 'esc' + 'aped'")()`,
  `range.__proto__.constructor("return 'esc' + 'aped'")()`,
  `cycler.call.constructor("return 'esc' + 'aped'")()`,
  `cycler(1).next.constructor("return 'esc' + 'aped'")()`,
  `joiner().constructor("return 'esc' + 'aped'")()`,
  `fail.constructor("return 'esc' + 'aped'")()`,
  `spec.__lookupGetter__("__proto__")`,
  `spec.__defineGetter__("a", range)`,
  `spec.list.__proto__`,
  `this.constructor`,
];
