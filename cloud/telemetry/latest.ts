import type { Sample, TelemetryStore } from '../store/telemetry/telemetry-store.ts';
import { measuredOf } from './measured.ts';

export type LatestReading = { at: number; received: number; values: Record<string, unknown> };

export type Latest = {
  /** True when it is newer than what was known. */
  note(der: number, reading: LatestReading): boolean;
  get(ders: readonly number[]): Promise<Map<number, LatestReading>>;
  forget(ders: readonly number[]): void;
};

const mostRemembered = 500_000;

/** The newest reading of each DER: of those heard by this process from memory, unless others hear them too. */
export function createLatest(telemetry: TelemetryStore, { isShared }: { isShared: boolean }): Latest {
  const remembered = new Map<number, LatestReading | undefined>(); // undefined: the store has none

  function remember(der: number, reading: LatestReading | undefined): void {
    if (!remembered.has(der) && remembered.size >= mostRemembered) remembered.delete(remembered.keys().next().value!);
    remembered.set(der, reading);
  }

  return {
    note(der, reading) {
      const known = remembered.get(der);
      if (known && momentOf(known) >= momentOf(reading)) return false;
      remember(der, reading);
      return true;
    },

    async get(ders) {
      const found = new Map<number, LatestReading>();
      const missing = ders.filter((der) => {
        const known = remembered.get(der);
        if (known && !isShared) found.set(der, known);
        return isShared || !remembered.has(der);
      });
      if (missing.length === 0) return found;
      const stored = await telemetry.latest(missing);
      for (const der of missing) {
        const sample = stored.get(der);
        const reading = sample && readingOf(sample);
        if (reading) found.set(der, reading);
        if (!isShared && !remembered.has(der)) remember(der, reading);
      }
      return found;
    },

    forget(ders) {
      for (const der of ders) remembered.delete(der);
    },
  };
}

/** When it was measured. A clock that was ahead is believed no further than the moment of arrival, or nothing after it would be news. */
export const momentOf = ({ at, received }: Pick<LatestReading, 'at' | 'received'>): number =>
  Math.min(at, received / 1000);

export const readingOf = ({ at, received, body }: Sample): LatestReading => ({
  at,
  received,
  values: JSON.parse(body),
});

/** As clients see it: its own fields with its time; null before the first. */
export async function latestShown(latest: Latest, der: number): Promise<Record<string, unknown> | null> {
  const reading = (await latest.get([der])).get(der);
  if (!reading) return null;
  const { seq, ...values } = measuredOf(reading.values);
  return { ...values, timestamp: reading.at };
}
