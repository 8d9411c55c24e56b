import { isUtf8 } from 'node:buffer';
import type { DropReason } from '#contract/cloud/gateways.ts';
import { boundsOf } from '#contract/telemetry.ts';
import { dayMs, parseTime } from '#contract/time.ts';

/** What a message says: its text as it came, and what had to be understood of it. */
export class Reading {
  readonly at: number;
  /** the number its gateway knows it by, until we acknowledge it */
  readonly seq: number | undefined;
  readonly text: string;
  /** its own time could not be, so it has the time it arrived */
  readonly isRedated: boolean;
  #values: Record<string, unknown> | undefined;

  constructor(text: string, now: number, { timestamp, seq }: ReadingMeta, values?: Record<string, unknown>) {
    const at = timeOf(timestamp);
    this.isRedated = at === undefined || at < firstReadingTime || at > now + maxFutureMs;
    this.at = this.isRedated ? now : at!;
    this.seq = seqOf(seq);
    this.text = text;
    this.#values = values;
  }

  /** Made when somebody asks: most readings are only stored. */
  get values(): Record<string, unknown> {
    this.#values ??= JSON.parse(this.text) as Record<string, unknown>;
    return this.#values;
  }
}

export type Refused = { reason: DropReason; seq: number | undefined };

const mostBytes = 16 * 1024;
const mostFields = 100;
/** Describe the reading itself and are not fields of the DER. */
export const notFields: ReadonlySet<string> = new Set(['timestamp', 'seq', 'read_time_ms']);
/** Readings dated earlier than this, or further ahead than maxFutureMs, get the time they arrived. */
export const firstReadingTime = Date.UTC(2015, 0, 1);
export const maxFutureMs = dayMs;

/** A flat JSON object of finite, plausible numbers and short texts; anything else is refused with its reason. */
export function parseReading(payload: Uint8Array, now: number): Reading | Refused {
  if (!isUtf8(payload)) return refused('malformed');
  const text = bufferOf(payload).toString();
  const values = parseObject(text);
  if (!values) return refused('malformed');
  const seq = seqOf(values.seq);
  if (payload.byteLength > mostBytes) return refused('too_large', seq); // read, or its gateway would send it for ever

  const names = Object.keys(values);
  if (names.length > mostFields) return refused('malformed', seq);
  for (const name of names) {
    const reason = faultOf(name, values[name]);
    if (reason) return refused(reason, seq);
  }
  return new Reading(text, now, values, values);
}

/** The same reading without some of its fields; undefined when it has no others. */
export function withoutFields(reading: Reading, excess: ReadonlySet<string>, now: number): Reading | undefined {
  const kept = Object.entries(reading.values).filter(([name]) => !excess.has(name));
  if (!kept.some(([name]) => !notFields.has(name))) return undefined;
  const values = Object.fromEntries(kept);
  return new Reading(JSON.stringify(values), now, values, values);
}

/** The same reading sooner, when it has this shape and is plain; undefined when it has to be parsed to know. */
export function readKnownShape(payload: Uint8Array, now: number, shape: Shape): Reading | undefined {
  const said = payload.byteLength <= mostBytes ? scanReading(payload, shape) : undefined;
  return said && new Reading(bufferOf(payload).toString('latin1'), now, said);
}

const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const refused = (reason: DropReason, seq?: number): Refused => ({ reason, seq });

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return Object.hasOwn(value, '__proto__') ? undefined : (value as Record<string, unknown>);
  } catch {
    return undefined;
  }
}

function faultOf(name: string, value: unknown): DropReason | undefined {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return 'not_finite'; // 1e999 parses as Infinity
    const { min: least, max: most } = boundsOf(name);
    return value < least || value > most ? 'out_of_range' : undefined;
  }
  if (typeof value === 'string') return value.length > 256 ? 'malformed' : undefined;
  if (typeof value === 'boolean' || value === null) return undefined;
  const isList = Array.isArray(value) && value.length <= 16;
  return isList && value.every((item) => Number.isFinite(item)) ? undefined : 'malformed';
}

const seqOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;

function timeOf(value: unknown): number | undefined {
  if (typeof value === 'string') return parseTime(value);
  if (typeof value !== 'number') return undefined;
  if (value >= firstReadingTime) return Math.trunc(value);
  return parseTime(Math.max(0, value).toFixed(3)); // seconds, perhaps with a fraction
}

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
type ReadingMeta = { timestamp?: unknown; seq?: unknown };

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
export function scanReading(bytes: Uint8Array, shape: Shape): ReadingMeta | undefined {
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

const maxShapeFields = 200_000; // of all shapes; a field takes a few hundred bytes
const mostDers = 500_000;

/** The shape that the last reading of each DER had. Most devices say the same fields every time. */
type Shapes = {
  of(der: number): Shape | undefined;
  learn(der: number, names: readonly string[]): void;
};

export function createShapes(): Shapes {
  const byNames = new Map<string, Shape | undefined>(); // one for all devices that speak alike
  const byDer = new Map<number, Shape | undefined>();
  let shapeFields = 0;

  function known(names: readonly string[]): Shape | undefined {
    const key = names.join();
    if (!byNames.has(key)) {
      shapeFields += names.length;
      if (shapeFields > maxShapeFields) {
        byNames.clear();
        shapeFields = names.length;
      }
      byNames.set(key, shapeOf(names));
    }
    return byNames.get(key);
  }

  return {
    of: (der) => byDer.get(der),
    learn(der, names) {
      if (byDer.size >= mostDers) byDer.clear();
      byDer.set(der, known(names));
    },
  };
}
