import { isUtf8 } from 'node:buffer';
import type { DropReason } from '#contract/cloud/gateways.ts';
import type { DerTypeId } from '#contract/der.ts';
import { boundsOf } from '#contract/telemetry.ts';
import { dayMs, parseTime } from '#contract/time.ts';
import { isObject } from '#lib/json.ts';
import { RecentMap } from '#lib/recent-map.ts';
import { registersOf } from '../energy/fold.ts';

/** A reading as it was received, with its time and number. */
export class Reading {
  readonly at: number;
  /** the number by which its gateway expects the acknowledgement */
  readonly seq: number | undefined;
  readonly text: string;
  /** its timestamp was implausible, so it has the time it was received */
  readonly isRedated: boolean;
  // Values for the energy ledger; NaN where absent.
  power: number;
  inWh: number;
  outWh: number;
  #values: Record<string, unknown> | undefined;

  constructor(text: string, now: number, meta: ReadingMeta, values?: Record<string, unknown>) {
    const { timestamp, seq, power = Number.NaN, inWh = Number.NaN, outWh = Number.NaN } = meta;
    const at = timeOf(timestamp) ?? Number.NaN;
    this.isRedated = !(at >= firstReadingTime && at <= now + maxFutureMs);
    this.at = this.isRedated ? now : at;
    this.seq = seqOf(seq);
    this.text = text;
    this.power = power;
    this.inWh = inWh;
    this.outWh = outWh;
    this.#values = values;
  }

  /** Takes what the energy ledger needs of a DER of this type from parsed values. */
  findEnergy(type: DerTypeId): void {
    const registers = registersOf(type);
    const pick = (...names: readonly string[]): number => {
      const found = names.map((name) => this.values[name]).find((value) => typeof value === 'number');
      return found ?? Number.NaN;
    };
    this.power = pick('W');
    this.inWh = pick(...registers.in);
    this.outWh = pick(...registers.out);
  }

  /** Parsed on first use: most readings are only stored. */
  get values(): Record<string, unknown> {
    const values: Record<string, unknown> = this.#values ?? JSON.parse(this.text);
    this.#values = values;
    return values;
  }
}

export type Refused = { reason: DropReason; seq: number | undefined };

const maxBytes = 16 * 1024;
const maxFields = 100;
/** Names that describe the reading itself. */
export const notFields: ReadonlySet<string> = new Set(['timestamp', 'seq', 'read_time_ms']);
/** Readings dated earlier than this, or further ahead than maxFutureMs, get the time they were received. */
export const firstReadingTime = Date.UTC(2015, 0, 1);
export const maxFutureMs = dayMs;

/** Parses a flat JSON object of finite, plausible numbers and short texts. Refuses anything else with a reason. */
export function parseReading(payload: Uint8Array, now: number): Reading | Refused {
  if (!isUtf8(payload)) return refused('malformed');
  const text = bufferOf(payload).toString();
  const values = parseObject(text);
  if (!values) return refused('malformed');
  const seq = seqOf(values.seq);
  if (payload.byteLength > maxBytes) return refused('too_large', seq); // parsed for its seq, or its gateway would retry forever

  const fields = Object.entries(values);
  if (fields.length > maxFields) return refused('malformed', seq);
  for (const [name, value] of fields) {
    const reason = faultOf(name, value);
    if (reason) return refused(reason, seq);
  }
  return new Reading(text, now, metaOf(values), values);
}

const metaOf = ({ timestamp, seq }: Record<string, unknown>): ReadingMeta => ({ timestamp, seq });

/** Returns the reading without some of its fields; undefined when it has no others. */
export function withoutFields(reading: Reading, excess: ReadonlySet<string>, now: number): Reading | undefined {
  const kept = Object.entries(reading.values).filter(([name]) => !excess.has(name));
  if (!kept.some(([name]) => !notFields.has(name))) return undefined;
  const values = Object.fromEntries(kept);
  return new Reading(JSON.stringify(values), now, metaOf(values), values);
}

/** Reads a reading of this shape without parsing it; undefined when it has to be parsed. */
export function readKnownShape(payload: Uint8Array, now: number, shape: Shape): Reading | undefined {
  const meta = payload.byteLength <= maxBytes ? scanReading(payload, shape) : undefined;
  return meta && new Reading(bufferOf(payload).toString('latin1'), now, meta);
}

const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const refused = (reason: DropReason, seq?: number): Refused => ({ reason, seq });

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && !Object.hasOwn(value, '__proto__') ? value : undefined;
  } catch {
    return undefined;
  }
}

function faultOf(name: string, value: unknown): DropReason | undefined {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return 'not_finite'; // 1e999 parses as Infinity
    const { min, max } = boundsOf(name);
    return value < min || value > max ? 'out_of_range' : undefined;
  }
  if (typeof value === 'string') return value.length > 256 ? 'malformed' : undefined;
  if (typeof value === 'boolean' || value === null) return undefined;
  const isList = Array.isArray(value) && value.length <= 16;
  return isList && value.every((item) => Number.isFinite(item)) ? undefined : 'malformed';
}

const seqOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

function timeOf(value: unknown): number | undefined {
  if (typeof value === 'string') return parseTime(value);
  if (typeof value !== 'number') return undefined;
  if (value >= firstReadingTime) return Math.trunc(value);
  return parseTime(Math.max(0, value).toFixed(3)); // seconds, perhaps with a fraction
}

/** The fields whose values are kept while a reading is scanned. */
const roles = { none: 0, timestamp: 1, seq: 2, power: 3, in: 4, out: 5 } as const;
type Role = (typeof roles)[keyof typeof roles];

/** A field with its bounds, and the bytes before its value. */
type Field = { name: string; role: Role; lead: Uint8Array; min: number; max: number };

/** The fields of a reading in their order, without repetition. */
export type Shape = readonly Field[];

type ReadingMeta = { timestamp?: unknown; seq?: unknown; power?: number; inWh?: number; outWh?: number };

/** Returns whether JSON spells a name without escapes. */
export const isPlainName = (name: string): boolean => /^[ !#-[\]-~]*$/.test(name);

const maxTextBytes = 256;
const exactDigits = 15; // numbers with up to 15 digits are exact
const powersOfTen = Array.from({ length: exactDigits + 1 }, (_, places) => 10 ** places);
const [quote, minus, point, zero, nine, backslash, closing] = [0x22, 0x2d, 0x2e, 0x30, 0x39, 0x5c, 0x7d] as const;

/** Returns the shape of a reading with these names, of a DER of this type; undefined when JSON would escape one of them. */
export function shapeOf(names: readonly string[], type?: DerTypeId): Shape | undefined {
  if (names.length === 0 || !names.every(isPlainName)) return undefined;
  const kept = rolesOf(names, type);
  return names.map((name, i) => {
    const lead = Buffer.from(`${i === 0 ? '{' : ','}"${name}":`);
    return { name, role: kept.get(name) ?? roles.none, lead, ...boundsOf(name) };
  });
}

function rolesOf(names: readonly string[], type: DerTypeId | undefined): Map<string | undefined, Role> {
  const kept = new Map<string | undefined, Role>([
    ['timestamp', roles.timestamp],
    ['seq', roles.seq],
  ]);
  if (!type) return kept;
  const registers = registersOf(type);
  const find = (wanted: readonly string[]): string | undefined => wanted.find((name) => names.includes(name));
  return kept.set('W', roles.power).set(find(registers.in), roles.in).set(find(registers.out), roles.out);
}

/**
 * Reads the time and number of a reading of this shape. Returns undefined for anything unusual (blanks, escapes, exponents,
 * lists, a value out of bounds, other fields), which is left to JSON.parse.
 */
export function scanReading(bytes: Uint8Array, shape: Shape): ReadingMeta | undefined {
  let timestamp: number | undefined;
  let seq: number | undefined;
  let power = Number.NaN;
  let inWh = Number.NaN;
  let outWh = Number.NaN;
  let at = 0;
  for (const { role, lead, min, max } of shape) {
    for (let i = 0; i < lead.length; i++) if (bytes[at++] !== lead[i]) return undefined;
    let byte = bytes[at]!;
    if (byte === quote) {
      const begin = at;
      do byte = bytes[++at]!;
      while (byte >= 0x20 && byte < 0x7f && byte !== quote && byte !== backslash);
      if (byte !== quote || at - begin > maxTextBytes || role === roles.timestamp) return undefined;
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
    if (role === roles.none) continue;
    if (role === roles.power) power = value;
    else if (role === roles.in) inWh = value;
    else if (role === roles.out) outWh = value;
    else if (role === roles.timestamp) timestamp = value;
    else seq = value;
  }
  return bytes[at] === closing && at === bytes.length - 1 ? { timestamp, seq, power, inWh, outWh } : undefined;
}

const maxShapeFields = 200_000; // of all shapes; a field takes a few hundred bytes
const maxDers = 500_000;

/** Remembers the shape of the last reading of each DER: most devices send the same fields every time. */
export function createShapes() {
  const byNames = new RecentMap<Shape>(maxShapeFields, ({ length }) => length); // shared by all devices with the same fields
  const byDer = new Map<number, Shape | undefined>();
  return {
    of: (der: number): Shape | undefined => byDer.get(der),
    learn(der: number, names: readonly string[], type?: DerTypeId): void {
      if (byDer.size >= maxDers) byDer.clear();
      const key = `${type} ${names.join()}`;
      const shape = byNames.get(key) ?? shapeOf(names, type);
      if (shape) byNames.set(key, shape);
      byDer.set(der, shape);
    },
  };
}
