import type { Values } from '#contract/gateway/reading.ts';
import { boundsOf, type FieldName } from '#contract/telemetry.ts';
import { entriesOf } from './map/point.ts';

/** Returns the value rounded to 6 decimals, or undefined if it is outside the bounds of the field. */
export function plausible(field: FieldName, value: number | undefined): number | undefined {
  if (value === undefined) return undefined;
  const { min, max } = boundsOf(field);
  return value >= min && value <= max ? Math.round(value * 1e6) / 1e6 + 0 : undefined; // + 0 turns -0 into 0
}

/** Returns the fields that have a plausible value. */
export function plausibleValues(fields: Partial<Record<FieldName, number | undefined>>): Values {
  const values: Values = {};
  for (const [field, number] of entriesOf(fields)) {
    const value = plausible(field, number);
    if (value !== undefined) values[field] = value;
  }
  return values;
}

/** Returns the power limits of a charger per phase, a third of its total limits each. */
export function phaseLimits(maxCharge_W: number | undefined, maxDischarge_W: number | undefined): Values {
  if (plausible('W', maxCharge_W) === undefined && plausible('W', maxDischarge_W) === undefined) return {};
  const perPhase = (total: number): number[] => new Array<number>(3).fill(plausible('W', total / 3) ?? 0);
  return {
    lower_limit_W: perPhase(-Math.abs(maxDischarge_W ?? 0)),
    upper_limit_W: perPhase(Math.abs(maxCharge_W ?? 0)),
  };
}

/** A value and the time of its measurement, in ms. */
export type Measured<Value> = { value: Value; at: number };

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

export const isFresh = (at: number, now: number, maxAgeMs: number): boolean => Math.abs(now - at) <= maxAgeMs;

/** Stores the latest value of each name. That of a retained message, whose age is unknown, is not `measured`. */
export function createValueStore<Name extends string, Value>() {
  const known = new Map<Name, Value>();
  const measured = new Map<Name, Measured<Value>>();

  return {
    put(name: Name, value: Value, at: number | undefined): void {
      known.set(name, value);
      if (at !== undefined) measured.set(name, { value, at });
    },
    forget(name: Name): void {
      known.delete(name);
      measured.delete(name);
    },
    known: (name: Name): Value | undefined => known.get(name),
    knownNumber: (name: Name): number | undefined => numberOf(known.get(name)),
    measured(name: Name, now: number, maxAgeMs: number): Measured<Value> | undefined {
      const found = measured.get(name);
      return found && isFresh(found.at, now, maxAgeMs) ? found : undefined;
    },
  };
}

/**
 * Determines when messages with their own timestamp were measured. The device clock may be wrong but has to advance: an
 * EnergyHub without power was seen repeating its last values for half an hour. The first message is always new, because it
 * cannot show whether the clock is wrong or has stopped.
 */
export function createDeviceClock() {
  let newest: { own: number; at: number | undefined } | undefined;

  return {
    /** Returns the time on our clock in ms; undefined if it is unknown. */
    measuredAt({ at, isRetained }: { at: number; isRetained: boolean }, own: number | undefined): number | undefined {
      const arrived = isRetained ? undefined : at;
      if (own === undefined) return arrived;
      if (!newest || own > newest.own) newest = { own, at: arrived ?? newest?.at };
      else if (!isRetained && own < newest.own) newest = { own, at: newest.at }; // set back; new again once it advances
      return isRetained ? undefined : newest.at;
    },
  };
}
