/**
 * Which value a scalar's text is: the table of `kubectl apply -f` (sigs.k8s.io/yaml), which is neither that of YAML 1.1 nor
 * that of 1.2. Words are looked up, numbers go through the forms below, in order; everything else is text.
 *
 * `testdata/scalars.json` holds what the real reader answers for some thousands of texts.
 */

/** A scalar's value. Infinity and NaN may come out; JSON has no such numbers, so the caller refuses them. */
export type ScalarValue = string | number | bigint | boolean | null;

const WORDS: ReadonlyMap<string, ScalarValue> = new Map<string, ScalarValue>([
  ...["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"].map((word) =>
    [word, true] as const
  ),
  ...["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"].map((word) =>
    [word, false] as const
  ),
  ...["", "~", "null", "Null", "NULL"].map((word) => [word, null] as const),
  ...[".nan", ".NaN", ".NAN"].map((word) => [word, NaN] as const),
  ...[".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"].map((word) => [word, Infinity] as const),
  ...["-.inf", "-.Inf", "-.INF"].map((word) => [word, -Infinity] as const),
]);

/** A form of numbers: the pattern of the digits (after the sign), and the prefix that `BigInt` wants in place of `prefix`. */
interface IntegerForm {
  readonly pattern: RegExp;
  readonly prefix: number;
  readonly radix: "" | "0o" | "0x" | "0b";
}

const INTEGER_FORMS: readonly IntegerForm[] = [
  { pattern: /^(0|[1-9][0-9]*)$/, prefix: 0, radix: "" },
  { pattern: /^0[0-7]+$/, prefix: 1, radix: "0o" },
  { pattern: /^0[oO][0-7]+$/, prefix: 2, radix: "0o" },
  { pattern: /^0[xX][0-9a-fA-F]+$/, prefix: 2, radix: "0x" },
  { pattern: /^0[bB][01]+$/, prefix: 2, radix: "0b" },
];
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const LOOSE_UNDERSCORE = /(^|[^0-9])_|_([^0-9]|$)/;
const MAY_BE_WORD = /^[yYnNtTfFoO~.+-]|^$/;
const MAY_BE_NUMBER = /^[-+.0-9]/;

const MAX_UNSIGNED = 2n ** 64n - 1n;
const MIN_SIGNED = -(2n ** 63n);

/** The value of an unquoted scalar without a tag. */
export function resolvePlain(text: string): ScalarValue {
  if (MAY_BE_WORD.test(text)) {
    const word = WORDS.get(text);
    if (word !== undefined) return word;
  }
  return MAY_BE_NUMBER.test(text) ? resolveNumber(text) : text;
}

/** Underscores may stand anywhere, but only between digits where the text begins with a dot: the table is what it is. */
function resolveNumber(text: string): ScalarValue {
  if (text.startsWith(".") && LOOSE_UNDERSCORE.test(text)) return text;
  const plain = text.replaceAll("_", "");
  const integer = resolveInteger(plain);
  if (integer !== undefined) return integer;
  if (!FLOAT.test(plain)) return text;
  const float = Number(plain);
  return Number.isFinite(float) ? float : text;
}

function resolveInteger(text: string): number | bigint | undefined {
  const sign = text.startsWith("-") || text.startsWith("+") ? text.slice(0, 1) : "";
  const digits = text.slice(sign.length);
  const form = INTEGER_FORMS.find((candidate) => candidate.pattern.test(digits));
  if (form === undefined) return undefined;
  if (form.radix === "" && digits.length < 16) return Number(text) + 0;
  const size = BigInt(form.radix + digits.slice(form.prefix));
  const value = sign === "-" ? -size : size;
  // Go falls back to a float for a longer decimal; exact is the same to an API server, and loses nothing here.
  if (form.radix !== "" && (value > MAX_UNSIGNED || value < MIN_SIGNED)) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** The values that an explicit tag admits. */
const TAGS: ReadonlyMap<string, (value: ScalarValue) => boolean> = new Map<
  string,
  (value: ScalarValue) => boolean
>([
  ["!!int", (value) => typeof value === "bigint" || Number.isInteger(value)],
  ["!!float", (value) => typeof value === "bigint" || typeof value === "number"],
  ["!!bool", (value) => typeof value === "boolean"],
  ["!!null", (value) => value === null],
]);

/**
 * The value of a scalar with a tag (`!!int`, its long form, or any other). An unknown tag is passed over, as is its meaning:
 * the value is the text. Throws `TypeError` for a text that its tag does not admit.
 */
export function resolveTagged(tag: string, text: string): ScalarValue {
  const short = tag.replace(/^!<(.*)>$/, "$1").replace("tag:yaml.org,2002:", "!!");
  if (short === "!!binary") return readBinary(text);
  const admits = TAGS.get(short);
  if (admits === undefined) return text;
  const value = resolvePlain(text);
  if (!admits(value)) {
    throw new TypeError(`\`${text}\` is no \`${short}\`; take the tag away or write a fitting value`);
  }
  return value;
}

function readBinary(text: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)));
  } catch (cause) {
    throw new TypeError("A value tagged `!!binary` is no base64; take the tag away or correct the value", {
      cause,
    });
  }
}

/**
 * The text that a key becomes in JSON: that of the value, not the one written (`0x10` becomes `16`, `yes` becomes `true`).
 * Undefined for null, which is no key. `text` is the scalar as written.
 */
export function keyText(value: ScalarValue, text: string): string | undefined {
  if (value === null) return undefined;
  if (typeof value !== "number" || resolveInteger(text.replaceAll("_", "")) !== undefined) {
    return String(value);
  }
  return floatKeyText(value);
}

/** A float of 32 bits with as few digits as it takes: so the real reader prints keys. `1e9` becomes `1e+09`. */
function floatKeyText(value: number): string {
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return Number.isNaN(single) ? ".nan" : single > 0 ? ".inf" : "-.inf";
  if (Object.is(single, -0)) return "-0";
  let digits = 0;
  while (Math.fround(Number(single.toExponential(digits))) !== single) digits++;
  const [mantissa = "", exponent = ""] = single.toExponential(digits).split("e");
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(Number(`${mantissa}e${power}`));
  return `${mantissa}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}
