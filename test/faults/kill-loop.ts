import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '#contract/client.ts';
import { checkLedger, createLedger, type Ledger, type Verdict } from '#sim/fleet/ledger.ts';
import { enrolFleet, reportContinually } from './fleet.ts';

/** A platform, and the part of it that is killed. */
export type Victim = {
  baseUrl(): string;
  mqttUrl(gateway: number): string;
  /** Kills the part like a power cut, and starts it again. */
  killAndRestart(cycle: number): Promise<void>;
  close(): Promise<void>;
};

const gateways = 4;
const patienceMs = 90_000;
const longestMs = 350; // time between two kills, beside that of this many readings
const leastReadings = 130;

/** Kills a part of a platform repeatedly while a fleet publishes, and counts what remains of the acknowledged readings. */
export async function killUnderLoad(victim: Victim, cycles: number): Promise<Verdict> {
  let stop = async (): Promise<void> => {};
  try {
    const fleet = await enrolFleet(victim.baseUrl(), gateways);
    const ledger = createLedger();
    stop = reportContinually(victim.mqttUrl, fleet, ledger);
    for (let cycle = 0; cycle < cycles; cycle++) {
      await moreAcknowledged(ledger);
      await sleep(Math.random() * longestMs);
      await victim.killAndRestart(cycle);
    }
    await moreAcknowledged(ledger);
    await stop();
    return await checkLedger(createClient({ baseUrl: victim.baseUrl(), token: fleet.token }), ledger);
  } finally {
    await stop();
    await victim.close();
  }
}

/** A kill before anything was acknowledged proves nothing. */
async function moreAcknowledged(ledger: Ledger): Promise<void> {
  const before = ledger.acknowledged();
  const end = performance.now() + patienceMs;
  while (ledger.acknowledged() < before + leastReadings) {
    if (performance.now() > end)
      throw new Error(`${ledger.acknowledged() - before} readings are acknowledged, after ${before}, and no more.`);
    await sleep(10);
  }
}
