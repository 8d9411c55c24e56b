import type { DerReading } from '#contract/gateway/reading.ts';
import { type FieldName, telemetryFields } from '#contract/telemetry.ts';

const freshMs = 60_000;

/** When Home Assistant is to forget a value that was not told again. */
export const expiryS = 90;

const fieldNames = new Set<string>(telemetryFields.map(({ name }) => name));

const fieldsOf = (reading: DerReading): [FieldName, number][] =>
  Object.entries(reading).filter(
    (entry): entry is [FieldName, number] => fieldNames.has(entry[0]) && typeof entry[1] === 'number',
  );

/** What a DER told in the last minute: there are meters that tell their voltages with every fourth telegram only. */
export class ToldValues {
  private readonly values = new Map<FieldName, { value: number; at: number }>();
  private reading: DerReading | undefined;

  /** `now` from a clock that nobody sets. */
  take(reading: DerReading, now: number): void {
    if (reading === this.reading) return;
    this.reading = reading;
    for (const [name, value] of fieldsOf(reading)) this.values.set(name, { value, at: now });
  }

  get fields(): FieldName[] {
    return [...this.values.keys()];
  }

  /** In the units of docs/units-and-signs.md, with the time of the latest reading; undefined when all of it is old. */
  state(now: number): string | undefined {
    const fresh = [...this.values].filter(([, { at }]) => now - at < freshMs);
    if (fresh.length === 0) return undefined;
    const values = Object.fromEntries(fresh.map(([name, { value }]) => [name, value]));
    return JSON.stringify({ timestamp: this.reading!.timestamp, ...values });
  }
}
