import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '#contract/client.ts';
import { getDerTelemetry } from '#contract/cloud/telemetry.ts';
import { formatTime } from '#contract/time.ts';
export type Sample = { der: string; at: number };

export type Verdict = {
  acknowledged: number;
  stored: number;
  lost: number;
  twice: number;
  /** stored, but never sent */
  phantom: number;
  /** stored after a later one */
  reordered: number;
};

/** Times of stored readings by DER. */
export type Stored = ReadonlyMap<string, readonly number[]>;

/** Records intended and acknowledged readings, and compares them with stored ones. */
export function createLedger() {
  const readings = new Map<string, Map<number, boolean>>(); // by DER and time: is it acknowledged
  let acknowledged = 0;

  function note({ der, at }: Sample, isAcknowledged: boolean): void {
    const times = readings.get(der) ?? new Map<number, boolean>();
    if (times.size === 0) readings.set(der, times);
    if (isAcknowledged && !times.get(at)) acknowledged++;
    times.set(at, isAcknowledged);
  }

  return {
    intend: (sample: Sample) => note(sample, false),
    acknowledge: (sample: Sample) => note(sample, true),
    acknowledged: () => acknowledged,
    /** Returns the times of all intended readings by DER, in order. */
    intended: (): Stored => new Map([...readings].map(([der, times]) => [der, [...times.keys()]])),
    check(stored: Stored): Verdict {
      const verdict = { acknowledged, stored: 0, lost: acknowledged, twice: 0, phantom: 0, reordered: 0 };
      for (const [der, times] of stored) {
        const found = new Set(times);
        verdict.stored += times.length;
        verdict.twice += times.length - found.size;
        verdict.reordered += times.filter((at, index) => at < (times[index - 1] ?? at)).length;
        for (const at of found) {
          const isAcknowledged = readings.get(der)?.get(at);
          if (isAcknowledged) verdict.lost--;
          if (isAcknowledged === undefined) verdict.phantom++;
        }
      }
      return verdict;
    },
  };
}

export type Ledger = ReturnType<typeof createLedger>;

/** Returns whether nothing is lost, duplicated, unexpected or out of order. */
export const isClean = ({ lost, twice, phantom, reordered }: Verdict): boolean =>
  lost + twice + phantom + reordered === 0;

/** Also writes the ledger to a file, one line of JSON per event; intended readings before they are sent. */
export function logLedger(ledger: Ledger, path: string): { ledger: Ledger; close(): Promise<void> } {
  const file = createWriteStream(path);
  const ended = finished(file);
  ended.catch(() => {}); // reported by close
  const write = (said: 'intended' | 'acknowledged', { der, at }: Sample): void =>
    void file.write(`${JSON.stringify({ said, der, at })}\n`);
  return {
    ledger: {
      ...ledger,
      intend(sample) {
        write('intended', sample);
        ledger.intend(sample);
      },
      acknowledge(sample) {
        write('acknowledged', sample);
        ledger.acknowledge(sample);
      },
    },
    async close() {
      file.end();
      await ended;
    },
  };
}

const concurrency = 8;
const maxPoints = 10_000; // per reply
const retryMs = 500;
const maxWaitMs = 5000;

/** Compares a ledger with the history. Retries for a while: a platform with a queue acknowledges before it stores. */
export async function checkLedger(api: Client, ledger: Ledger): Promise<Verdict> {
  let verdict = ledger.check(await storedOf(api, ledger.intended()));
  for (let quietMs = 0; !isClean(verdict) && quietMs < maxWaitMs; quietMs += retryMs) {
    await sleep(retryMs);
    const { stored } = verdict;
    verdict = ledger.check(await storedOf(api, ledger.intended()));
    if (verdict.stored > stored) quietMs = 0;
  }
  return verdict;
}

/** Queries the stored readings of each DER, from the first intended reading to the last. */
async function storedOf(api: Client, intended: Stored): Promise<Stored> {
  const stored = new Map<string, number[]>();
  const waiting = intended.entries();
  const lane = async (): Promise<void> => {
    for (const [der, times] of waiting) stored.set(der, await timesOf(api, der, times));
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return stored;
}

async function timesOf(api: Client, der_id: string, meant: readonly number[]): Promise<number[]> {
  const found: number[] = [];
  for (let first = 0; first < meant.length; first += maxPoints) {
    const end = meant[first + maxPoints] ?? (meant.at(-1) ?? 0) + 1;
    const query = {
      from: formatTime(meant[first] ?? 0),
      to: formatTime(end),
      resolution: 'raw' as const,
      fields: 'W',
    };
    const { points } = await api.call(getDerTelemetry, { params: { der_id }, query });
    for (const { timestamp } of points) found.push(timestamp);
  }
  return found;
}
