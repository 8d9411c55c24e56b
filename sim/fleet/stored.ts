import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '#contract/client.ts';
import { getDerTelemetry } from '#contract/cloud/telemetry.ts';
import { formatTime } from '#contract/time.ts';
import { isClean, type Ledger, type Stored, type Verdict } from './ledger.ts';

const atOnce = 8;
const mostReadings = 10_000; // of one answer
const againMs = 500;
const patienceMs = 5000;

/**
 * Compares a ledger with the history of the platform. One with a queue of its own may acknowledge before it stores, so
 * what is missing is looked for again, until nothing more has come for a while.
 */
export async function checkLedger(api: Client, ledger: Ledger): Promise<Verdict> {
  let verdict = ledger.check(await storedOf(api, ledger.intended()));
  for (let quietMs = 0; !isClean(verdict) && quietMs < patienceMs; quietMs += againMs) {
    await sleep(againMs);
    const { stored } = verdict;
    verdict = ledger.check(await storedOf(api, ledger.intended()));
    if (verdict.stored > stored) quietMs = 0;
  }
  return verdict;
}

/** What the platform has of each DER, from the first reading that was meant to the last. */
async function storedOf(api: Client, intended: Stored): Promise<Stored> {
  const stored = new Map<string, number[]>();
  const waiting = intended.entries();
  const lane = async (): Promise<void> => {
    for (const [der, times] of waiting) stored.set(der, await timesOf(api, der, times));
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return stored;
}

async function timesOf(api: Client, der_id: string, meant: readonly number[]): Promise<number[]> {
  const found: number[] = [];
  for (let first = 0; first < meant.length; first += mostReadings) {
    const end = meant[first + mostReadings] ?? meant.at(-1)! + 1;
    const query = {
      from: formatTime(meant[first]!),
      to: formatTime(end),
      resolution: 'raw' as const,
      fields: 'W',
    };
    const { points } = await api.call(getDerTelemetry, { params: { der_id }, query });
    for (const { timestamp } of points) found.push(timestamp);
  }
  return found;
}
