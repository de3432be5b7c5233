/** A Worker that strips its globals and posts what it can still find. */
import { stripGlobals } from "../cage_globals.ts";

interface Scope {
  postMessage(message: unknown): void;
}

function isScope(scope: object): scope is Scope {
  return "postMessage" in scope;
}

function attempt(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error instanceof Error ? error.name : "thrown";
  }
}

const scope: object = globalThis;
if (!isScope(scope)) throw new Error("Not a Worker");
const post = scope.postMessage.bind(scope);
stripGlobals(scope);
post({
  names: Object.getOwnPropertyNames(globalThis),
  random: attempt(() => Math.random()),
  compile: attempt(() => Reflect.get(() => {}, "constructor")("return 42")()),
  compileAsync: attempt(() => Reflect.get(async () => {}, "constructor")("return 42")()),
  pollute: attempt(() => Reflect.set(Object.prototype, "polluted", 1)),
  polluteList: attempt(() => Reflect.set(Array.prototype, "polluted", 1)),
  ownToString: attempt(() => Object.assign({}, { toString: "text" }).toString),
});
