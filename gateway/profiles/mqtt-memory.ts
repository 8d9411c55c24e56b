/** A value and when it was measured. */
export type Measured<Value> = { value: Value; at: number };

export const isFresh = (at: number, now: number, maxAgeMs: number): boolean => Math.abs(now - at) <= maxAgeMs;

/**
 * The last value of each name. A value of unknown age (kept by the broker) is known, which does for what hardly changes,
 * but not measured.
 */
export function createMemory<Name extends string, Value>() {
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
    measured(name: Name, now: number, maxAgeMs: number): Measured<Value> | undefined {
      const found = measured.get(name);
      return found && isFresh(found.at, now, maxAgeMs) ? found : undefined;
    },
  };
}

/**
 * When messages that carry a time of their own were measured. How far the device's clock is off does not matter, but it
 * has to go on: an EnergyHub without power was seen repeating its last numbers for half an hour. The first message counts
 * as new, since a wrong clock and a standing one look alike in it.
 */
export function createSourceClock() {
  let newest: { own: number; at: number | undefined } | undefined;

  return {
    /** ms on our clock; undefined when it cannot be known */
    measuredAt({ at, isRetained }: { at: number; isRetained: boolean }, own: number | undefined): number | undefined {
      const arrived = isRetained ? undefined : at;
      if (own === undefined) return arrived;
      if (!newest || own > newest.own) newest = { own, at: arrived ?? newest?.at };
      else if (!isRetained && own < newest.own) newest = { own, at: newest.at }; // set back; new again when it goes on
      return isRetained ? undefined : newest.at;
    },
  };
}
