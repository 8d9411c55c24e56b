import type { DerReading } from '#contract/gateway/reading.ts';
import { type FieldName, telemetryFields } from '#contract/telemetry.ts';

const freshMs = 60_000;

/** Time after which Home Assistant discards a value that is not repeated. */
export const expiryS = 90;

const fieldNames = new Set<string>(telemetryFields.map(({ name }) => name));

const fieldsOf = (reading: DerReading): [FieldName, number][] =>
  Object.entries(reading).filter(
    (entry): entry is [FieldName, number] => fieldNames.has(entry[0]) && typeof entry[1] === 'number',
  );

/** Collects the values of the last minute; some meters send voltages only in every fourth telegram. */
export class ToldValues {
  private readonly values = new Map<FieldName, { value: number; at: number }>();
  private reading: DerReading | undefined;

  /** `now` is from a monotonic clock. */
  take(reading: DerReading, now: number): void {
    if (reading === this.reading) return;
    this.reading = reading;
    for (const [name, value] of fieldsOf(reading)) this.values.set(name, { value, at: now });
  }

  get fields(): FieldName[] {
    return [...this.values.keys()];
  }

  /** Returns the fresh values as JSON, in the units of docs/units-and-signs.md; undefined if all are stale. */
  state(now: number): string | undefined {
    const fresh = [...this.values].filter(([, { at }]) => now - at < freshMs);
    if (fresh.length === 0) return undefined;
    const values = Object.fromEntries(fresh.map(([name, { value }]) => [name, value]));
    return JSON.stringify({ timestamp: this.reading!.timestamp, ...values });
  }
}
