/**
 * Classes of characters as Python's `str` knows them. JavaScript's regular expressions know the categories of Unicode;
 * the few classes that they do not know are written down here.
 */

/** What Python takes for white space, as the inside of a character class. */
export const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

/** Digits besides the decimal ones: superscripts, circled ones and the like. */
const OTHER_DIGITS =
  "\\xb2\\xb3\\xb9\\u1369-\\u1371\\u19da\\u2070\\u2074-\\u2079\\u2080-\\u2089\\u2460-\\u2468" +
  "\\u2474-\\u247c\\u2488-\\u2490\\u24ea\\u24f5-\\u24fd\\u24ff\\u2776-\\u277e\\u2780-\\u2788\\u278a-\\u2792" +
  "\\u{10a40}-\\u{10a43}\\u{10e60}-\\u{10e68}\\u{11052}-\\u{1105a}\\u{1f100}-\\u{1f10a}";

/** Ideographs that stand for numbers. */
export const NUMERALS =
  "㐅㒃㠪㭍一七万三九二五亖亿什仟仨伍佰億兆兩八六十千卄卅卌叁参參叄四壱壹幺廾廿弌弍弎弐拾捌柒漆玖百肆萬貮貳贰阡陆陌陸零" +
  "\\uf96b\\uf973\\uf978\\uf9b2\\uf9d1\\uf9d3\\uf9fd\\u{20001}\\u{20064}\\u{200e2}\\u{20121}\\u{2092a}\\u{20983}" +
  "\\u{2098c}\\u{2099c}\\u{20aea}\\u{20afd}\\u{20b19}\\u{22390}\\u{22998}\\u{23b1b}\\u{2626d}\\u{2f890}";

/** Whether all of a text is of a class; an empty text is of none of them. */
export const CLASSES = {
  alpha: whole("\\p{L}"),
  decimal: whole("\\p{Nd}"),
  digit: whole(`\\p{Nd}${OTHER_DIGITS}`),
  numeric: whole(`\\p{N}${NUMERALS}`),
  alnum: whole(`\\p{L}\\p{N}${NUMERALS}`),
  space: whole(SPACE),
  identifier: /^[\p{XIDS}_][\p{XIDC}]*$/u,
} as const;

const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

/** Whether every character can be printed; true of an empty text. */
export function isPrintable(text: string): boolean {
  return !UNPRINTABLE.test(text);
}

function whole(characterClass: string): RegExp {
  return new RegExp(`^[${characterClass}]+$`, "u");
}
