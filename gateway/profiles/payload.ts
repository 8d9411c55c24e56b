import { isObject, JsonError, parseJson } from '#lib/json.ts';

// Loads no schemas of the contract, because the watchdog process does without them.

const maxPayloadBytes = 16 * 1024; // an EnergyHub sends 2 500
const maxScalarLength = 64; // characters
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Returns whether a text is usable as an id in a topic or payload. */
export const isId = (text: unknown): text is string => typeof text === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(text);

/** Parses the JSON object of a payload; undefined if it is invalid or too large. */
export function parseObject(payload: Uint8Array): Record<string, unknown> | undefined {
  if (payload.length > maxPayloadBytes) return undefined;
  try {
    return asRecord(parseJson(payload));
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

export const asRecord = (value: unknown) => (isObject(value) ? value : undefined);

/** Returns the value at a path inside an object; undefined if it has no such path. */
export const valueAt = (object: unknown, ...path: string[]): unknown =>
  path.reduce((inside, key) => asRecord(inside)?.[key], object);

/** Decodes the short text of a payload; undefined if it is invalid or too long. */
export function parseText(payload: Uint8Array): string | undefined {
  if (payload.length > maxScalarLength) return undefined;
  try {
    return utf8.decode(payload).trim();
  } catch (error) {
    if (error instanceof TypeError) return undefined; // not UTF-8
    throw error;
  }
}

/** Parses a number; many devices send numbers as text. */
export function parseNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.length > maxScalarLength || !decimal.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

export function parseBoolean(text: string): boolean | undefined {
  if (/^(true|1)$/i.test(text)) return true;
  return /^(false|0)$/i.test(text) ? false : undefined;
}
