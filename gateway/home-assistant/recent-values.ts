import type { DerReading } from '#contract/gateway/reading.ts';
import { type FieldName, isFieldName } from '#contract/telemetry.ts';

const freshMs = 60_000;

/** Time after which Home Assistant discards a value that is not repeated. */
export const expiryS = 90;

const isField = (entry: [string, unknown]): entry is [FieldName, number] =>
  isFieldName(entry[0]) && typeof entry[1] === 'number';

export type RecentValues = ReturnType<typeof createRecentValues>;

/** Collects the values of a DER of the last minute; some meters send voltages only in every fourth telegram. */
export function createRecentValues() {
  const values = new Map<FieldName, { value: number; at: number }>();
  let last: DerReading | undefined;

  return {
    /** Adds a reading and returns all fields so far. `now` is from a monotonic clock. */
    take(reading: DerReading, now: number): FieldName[] {
      if (reading !== last) {
        for (const [name, value] of Object.entries(reading).filter(isField)) values.set(name, { value, at: now });
      }
      last = reading;
      return [...values.keys()];
    },

    /** Returns the fresh values as JSON, in the units of docs/units-and-signs.md; undefined if all are stale. */
    state(now: number): string | undefined {
      const fresh = [...values].filter(([, { at }]) => now - at < freshMs);
      if (fresh.length === 0) return undefined;
      return JSON.stringify({
        timestamp: last?.timestamp,
        ...Object.fromEntries(fresh.map(([name, { value }]) => [name, value])),
      });
    },
  };
}
