import { boundsOf } from '#contract/telemetry.ts';

type Field = {
  name: string;
  /** the bytes before its value */
  lead: Uint8Array;
  min: number;
  max: number;
};

/** The fields of a reading in the order they stand, none of them twice. */
export type Shape = readonly Field[];

/** What a reading says of itself. */
export type Said = { timestamp?: unknown; seq?: unknown };

/** Whether a name is written in JSON as it is. */
export const isPlainName = (name: string): boolean => /^[ !#-[\]-~]*$/.test(name);

const mostTextBytes = 256;
const exactDigits = 15; // so many are a number without rounding
const powersOfTen = Array.from({ length: exactDigits + 1 }, (_, places) => 10 ** places);
const [quote, minus, point, zero, nine, backslash, closing] = Array.from('"-.09\\}', (char) => char.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];

/** The shape of a reading that was accepted; undefined when JSON would spell one of its names otherwise. */
export function shapeOf(names: readonly string[]): Shape | undefined {
  if (names.length === 0 || !names.every(isPlainName)) return undefined;
  return names.map((name, i) => ({ name, lead: Buffer.from(`${i === 0 ? '{' : ','}"${name}":`), ...boundsOf(name) }));
}

/**
 * Reads a reading of this shape without making anything of it. Whatever is not as plain as can be (blanks, escapes,
 * exponents, lists, a value out of bounds, other fields) is undefined here, and for JSON.parse to judge.
 */
export function scan(bytes: Uint8Array, shape: Shape): Said | undefined {
  let timestamp: number | undefined;
  let seq: number | undefined;
  let at = 0;
  for (const { name, lead, min, max } of shape) {
    for (let i = 0; i < lead.length; i++) if (bytes[at++] !== lead[i]) return undefined;
    let byte = bytes[at]!;
    if (byte === quote) {
      const begin = at;
      do byte = bytes[++at]!;
      while (byte >= 0x20 && byte < 0x7f && byte !== quote && byte !== backslash);
      if (byte !== quote || at - begin > mostTextBytes || name === 'timestamp') return undefined;
      at++;
      continue;
    }
    const isNegative = byte === minus;
    if (isNegative) byte = bytes[++at]!;
    const begin = at;
    let digits = 0;
    for (; byte >= zero && byte <= nine; byte = bytes[++at]!) digits = digits * 10 + byte - zero;
    const whole = at - begin;
    if (whole === 0 || (whole > 1 && bytes[begin] === zero)) return undefined;
    let places = 0;
    if (byte === point) {
      for (byte = bytes[++at]!; byte >= zero && byte <= nine; byte = bytes[++at]!, places++) {
        digits = digits * 10 + byte - zero;
      }
      if (places === 0) return undefined;
    }
    if (whole + places > exactDigits) return undefined;
    const size = digits / powersOfTen[places]!;
    const value = isNegative ? -size : size;
    if (value < min || value > max) return undefined;
    if (name === 'timestamp') timestamp = value;
    else if (name === 'seq') seq = value;
  }
  return bytes[at] === closing && at === bytes.length - 1 ? { timestamp, seq } : undefined;
}
