/**
 * How Python writes a float. The digits are those of JavaScript, the fewest that give the same float back; where the
 * exponent begins and how it looks differ.
 */

/** The `repr` of a float: `2.0`, `1e+16`, `inf`. */
export function floatRepr(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf";
  const magnitude = Math.abs(value);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  if (magnitude !== 0 && (magnitude < 1e-4 || magnitude >= 1e16)) return sign + withExponent(magnitude);
  return sign + String(magnitude) + (Number.isInteger(magnitude) ? ".0" : "");
}

function withExponent(magnitude: number): string {
  const [digits = "", exponent = ""] = magnitude.toExponential().split("e");
  return `${digits}e${exponent.slice(0, 1)}${exponent.slice(1).padStart(2, "0")}`;
}
