import assert from "node:assert/strict";
import { ConfigError } from "./config_error.ts";
import { FolderSource } from "./folder_source.ts";

const IMPLEMENTATION =
  "crd: {group: g.example.com, version: v1, kind: Thing, plural: things}\ntemplates: [core/a.yaml]\n";

/** Runs a test in a folder with these files; `link -> target` makes a symbolic link. */
async function inFolder(
  files: Readonly<Record<string, string>>,
  test: (path: string) => Promise<void>,
): Promise<void> {
  const path = await Deno.makeTempDir();
  try {
    for (const [name, text] of Object.entries(files)) {
      await Deno.mkdir(`${path}/${name}`.replace(/\/[^/]*$/, ""), { recursive: true });
      if (text.startsWith("-> ")) await Deno.symlink(text.slice(3), `${path}/${name}`);
      else await Deno.writeTextFile(`${path}/${name}`, text);
    }
    await test(path);
  } finally {
    await Deno.remove(path, { recursive: true });
  }
}

Deno.test("reads the file and every template, listed or not, hidden ones left out", () =>
  inFolder({
    "implementation.yaml": IMPLEMENTATION,
    "README.md": "no template",
    "core/a.yaml": "A",
    "lib/macros.j2": "M",
    "core/.a.yaml.swp": "editor",
    "core/deep/x.yaml": "too deep",
    ".git/config": "git",
  }, async (path) => {
    const source = new FolderSource(path);
    const bundle = await source.read();
    assert.equal(source.name, `folder:${path}`);
    assert.deepEqual([...bundle.sources], [["core/a.yaml", "A"], ["lib/macros.j2", "M"]]);
    assert.equal(bundle.implementation.crd.kind, "Thing");
    assert.equal((await new FolderSource(path).read()).digest, bundle.digest);
  }));

Deno.test("reads mounted ConfigMaps, whose files are links into a hidden folder", () =>
  inFolder({
    "implementation.yaml": IMPLEMENTATION,
    "core/..2026_01/a.yaml": "A",
    "core/..data": "-> ..2026_01",
    "core/a.yaml": "-> ..data/a.yaml",
  }, async (path) => {
    assert.deepEqual([...(await new FolderSource(path).read()).sources], [["core/a.yaml", "A"]]);
  }));

Deno.test("reads the older form and a second order, which may be absent", () =>
  inFolder({
    "templates-order.yaml": "templates: [core/a.yaml]\n",
    "core/a.yaml": "A",
    "mine/b.yaml": "B",
    "more/templates-order.yaml": "templates: [mine/b.yaml]\n",
  }, async (path) => {
    const crd = { group: "g.example.com", version: "v1", kind: "Thing", plural: "things" };
    const templates = async (extra: string) =>
      (await new FolderSource(path, { crd, extra }).read()).implementation.templates;
    assert.deepEqual(await templates(`${path}/more/templates-order.yaml`), ["core/a.yaml", "mine/b.yaml"]);
    assert.deepEqual(await templates(`${path}/more/none.yaml`), ["core/a.yaml"]);
  }));

Deno.test("refuses a folder without a file, and a missing template, by name", () =>
  inFolder({ "core/b.yaml": "" }, async (path) => {
    await assert.rejects(
      new FolderSource(path).read(),
      new RegExp(`${path}/implementation.yaml: Is not there`),
    );
    await Deno.writeTextFile(`${path}/implementation.yaml`, IMPLEMENTATION);
    await assert.rejects(new FolderSource(path).read(), (error) => {
      assert.ok(error instanceof ConfigError);
      assert.match(
        error.message,
        /implementation.yaml line 2, templates\[0\]: Template `core\/a.yaml` does not exist; `core` has b.yaml/,
      );
      return true;
    });
  }));

Deno.test("reports a save, one by renaming, and a swapped mount", () =>
  inFolder({
    "implementation.yaml": IMPLEMENTATION,
    "core/a.yaml": "A",
    "mount/..1/x.yaml": "1",
    "mount/..2/x.yaml": "2",
    "mount/..data": "-> ..1",
    "mount/x.yaml": "-> ..data/x.yaml",
  }, async (path) => {
    const source = new FolderSource(path, { debounceMs: 5 });
    const abort = new AbortController();
    let changed = Promise.withResolvers<void>();
    const running = source.run(abort.signal, () => changed.resolve());
    await changed.promise;
    /** Makes a change, and reads at each report until the template has this text. */
    const shows = async (template: string, text: string, change: () => Promise<void>) => {
      changed = Promise.withResolvers<void>();
      await change();
      for (;;) {
        await changed.promise;
        changed = Promise.withResolvers<void>();
        if ((await source.read().catch(() => undefined))?.sources.get(template) === text) return;
      }
    };
    await shows("core/a.yaml", "B", () => Deno.writeTextFile(`${path}/core/a.yaml`, "B"));
    await shows("core/a.yaml", "C", async () => {
      await Deno.writeTextFile(`${path}/core/a.yaml~`, "C");
      await Deno.rename(`${path}/core/a.yaml~`, `${path}/core/a.yaml`);
    });
    await shows("mount/x.yaml", "2", async () => {
      await Deno.symlink("..2", `${path}/mount/..new`);
      await Deno.rename(`${path}/mount/..new`, `${path}/mount/..data`);
    });
    abort.abort();
    await running;
  }));
