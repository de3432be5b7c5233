/**
 * Defence in depth: takes from a Worker's global scope what a render has no use for, clock, chance and network first, and makes the
 * prototypes of the language refuse new members. Called once, after every module is loaded.
 */

/** What stays: the language itself, and text encoding. */
const KEPT = new Set([
  ...["globalThis", "undefined", "NaN", "Infinity", "isNaN", "isFinite", "parseInt", "parseFloat"],
  ...["Object", "Function", "Array", "Boolean", "Number", "BigInt", "String", "Symbol", "RegExp", "Iterator"],
  ...["Map", "Set", "WeakMap", "WeakSet", "Promise", "Proxy", "Reflect", "JSON", "Math", "Atomics"],
  ...["ArrayBuffer", "SharedArrayBuffer", "Uint8Array", "Int32Array", "TextEncoder", "TextDecoder"],
  ...["encodeURIComponent", "decodeURIComponent", "encodeURI", "decodeURI", "atob"],
  ...["Error", "AggregateError", "EvalError", "RangeError", "ReferenceError", "SyntaxError", "TypeError"],
  ...["URIError", "onmessage"],
]);

/** Strips a global scope. What cannot be deleted (a constant of the language) stays. */
export function stripGlobals(scope: object): void {
  for (let from: object | null = scope; from !== null && from !== Object.prototype; from = protoOf(from)) {
    for (const name of Object.getOwnPropertyNames(from)) {
      if (name !== "constructor" && !KEPT.has(name)) Reflect.deleteProperty(from, name);
    }
  }
  Reflect.deleteProperty(Math, "random");
  for (const maker of [() => {}, async () => {}, function* () {}, async function* () {}]) {
    // The way from any function to a compiler of text.
    Object.defineProperty(protoOf(maker), "constructor", { value: undefined });
  }
  for (const name of KEPT) sealIntrinsic(Reflect.get(scope, name));
}

function sealIntrinsic(value: unknown): void {
  if (typeof value === "object" && value !== null && value !== globalThis) Object.seal(value);
  if (typeof value !== "function") return;
  Object.seal(value);
  // Sealed, not frozen: below a frozen prototype an own `toString` could not be assigned any more.
  if (typeof value.prototype === "object" && value.prototype !== null) Object.seal(value.prototype);
}

function protoOf(value: object): object {
  return Object.getPrototypeOf(value);
}
