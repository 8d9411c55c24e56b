import type { Values } from '#contract/gateway/reading.ts';
import { boundsOf, type FieldName } from '#contract/telemetry.ts';
import { JsonError, parseJson } from '#lib/json.ts';

const longestPayload = 16 * 1024; // bytes; an EnergyHub sends 2 500
const longestScalar = 64; // characters
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** An id inside a topic or a payload. */
export const isId = (text: unknown): text is string => typeof text === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(text);

/** The JSON object of a payload; undefined when it is none, or one that is not worth reading. */
export function objectOf(payload: Uint8Array): Record<string, unknown> | undefined {
  if (payload.length > longestPayload) return undefined;
  try {
    return entriesOf(parseJson(payload));
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

export const entriesOf = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;

/** The short text of a payload; undefined when it is none. */
export function textOf(payload: Uint8Array): string | undefined {
  if (payload.length > longestScalar) return undefined;
  try {
    return utf8.decode(payload).trim();
  } catch (error) {
    if (error instanceof TypeError) return undefined; // not UTF-8
    throw error;
  }
}

/** Many devices write their numbers as text. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.length > longestScalar || !decimal.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

export function truthOf(text: string): boolean | undefined {
  if (/^(true|1)$/i.test(text)) return true;
  return /^(false|0)$/i.test(text) ? false : undefined;
}

/** The value, when a field of this name can be that; without the noise of the arithmetic. */
export function plausible(field: FieldName, value: number | undefined): number | undefined {
  if (value === undefined) return undefined;
  const { min: least, max: most } = boundsOf(field);
  return value >= least && value <= most ? Math.round(value * 1e6) / 1e6 + 0 : undefined; // + 0: there is no -0 W
}

/** The fields that have a plausible value. */
export function valuesOf(fields: Partial<Record<FieldName, number | undefined>>): Values {
  const values: Values = {};
  for (const field in fields) {
    const value = plausible(field as FieldName, fields[field as FieldName]);
    if (value !== undefined) values[field as FieldName] = value;
  }
  return values;
}

/** The limits of a charger for each of three phases, from what it can do in all. */
export function limitsOf(chargeMax: number | undefined, dischargeMax: number | undefined): Values {
  if (plausible('W', chargeMax) === undefined && plausible('W', dischargeMax) === undefined) return {};
  const perPhase = (total: number): number[] => new Array<number>(3).fill(plausible('W', total / 3) ?? 0);
  return {
    lower_limit_W: perPhase(-Math.abs(dischargeMax ?? 0)),
    upper_limit_W: perPhase(Math.abs(chargeMax ?? 0)),
  };
}
