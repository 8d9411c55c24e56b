import { setTimeout as sleep } from 'node:timers/promises';
import { createMeter } from '#sim/fleet/gateway.ts';
import type { Ledger } from '#sim/fleet/ledger.ts';
import type { TimeSeriesPeer } from '../peers/time-series-peer.ts';
import { lineOf } from '../workload/line.ts';
import type { Contender } from './contender.ts';

const lanes = 4;
const together = 20; // as many as one of our gateways has in flight
const pauseMs = 10;

/** Starts a peer: status 204 acknowledges the readings of a request. */
export function asContender(peer: TimeSeriesPeer): Contender {
  let refusal: unknown;
  return {
    name: peer.name,
    isOurs: false,
    report: (ledger) =>
      reportTo(peer, ledger, (error) => {
        refusal = error;
      }),
    lastRefusal: () => refusal,
    killAndRestart: () => peer.killAndRestart(),
    stored: () => peer.stored(),
    [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
  };
}

/** Writes at most a few thousand per second. */
function reportTo(peer: TimeSeriesPeer, ledger: Ledger, refused: (error: unknown) => void): () => Promise<void> {
  const state = { isRunning: true };
  let at = Date.now() - 3_000_000;

  async function lane(der: string): Promise<void> {
    const meter = createMeter(1);
    while (state.isRunning) {
      const samples = Array.from({ length: together }, () => ({ der, at: at++ }));
      for (const sample of samples) ledger.intend(sample);
      const lines = samples.map((sample) => lineOf({ ...sample, body: meter.read(sample.at) })).join('');
      try {
        await peer.write(lines);
        for (const sample of samples) ledger.acknowledge(sample);
      } catch (error) {
        refused(error); // probably killed; unacknowledged readings do not count
      }
      await sleep(pauseMs);
    }
  }

  const reporting = Promise.all(Array.from({ length: lanes }, (_, number) => lane(String(number))));
  return async () => {
    state.isRunning = false;
    await reporting;
  };
}
