import { createHistogram } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, monotonicClock } from '#lib/clock.ts';
import { readGatewayKey } from '../street-gateways/gateway-key.ts';
import type { KnownGateway } from './enrol.ts';
import { FleetGateway } from './gateway.ts';
import type { Ledger } from './ledger.ts';

export type FleetOptions = {
  gateways: readonly KnownGateway[];
  /** devices per gateway, at most those provisioned */
  devices: number;
  mqttUrl: string;
  /** readings per second of the whole fleet */
  perSecond: number;
  /** connections dropped per minute, to test reconnecting */
  dropsPerMinute: number;
  ledger: Ledger;
  clock: Clock;
};

export type Fleet = ReturnType<typeof startFleet>;
export type Figures = ReturnType<Fleet['figures']>;

const tickMs = 10;
const timeoutCheckMs = 1000;

/** Starts gateways that report in turn, evenly over time. */
export function startFleet(options: FleetOptions) {
  const { mqttUrl, perSecond, dropsPerMinute, ledger, clock } = options;
  const [recent, all] = [createHistogram(), createHistogram()];
  const onAcknowledged = (tookMs: number): void => {
    for (const delays of [recent, all]) delays.record(Math.max(1, Math.round(tookMs * 1000))); // µs
  };
  const shared = { mqttUrl, ledger, clock, stopwatch: monotonicClock, onAcknowledged };
  const gateways = options.gateways.map(({ key, devices }, number) => {
    const own = { key: readGatewayKey(key), devices: devices.slice(0, options.devices) };
    return new FleetGateway({ ...own, ...shared }, number * options.devices);
  });
  let sent = 0;

  const began = monotonicClock.now();
  let due = 0;
  const pacing = setInterval(() => {
    due = ((monotonicClock.now() - began) * perSecond) / 1000;
    for (; sent < Math.floor(due); sent++) gateways[sent % gateways.length]?.report();
  }, tickMs);
  let next = 0;
  const dropping =
    dropsPerMinute > 0
      ? setInterval(() => gateways[next++ % gateways.length]?.drop(), 60_000 / dropsPerMinute)
      : undefined;
  const timeoutChecks = setInterval(() => {
    for (const gateway of gateways) gateway.checkTimeout();
  }, timeoutCheckMs);
  for (const gateway of gateways) gateway.connect();

  const waiting = (): number => gateways.reduce((sum, gateway) => sum + gateway.waiting, 0);
  return {
    /** Returns counts, and delays from reading to acknowledgement since the last call and in total. */
    figures() {
      const figures = {
        sent,
        acknowledged: ledger.acknowledged(),
        waiting: waiting(),
        connected: gateways.filter(({ isConnected }) => isConnected).length,
        recent: delaysOf(recent),
        all: delaysOf(all),
      };
      recent.reset();
      return figures;
    },
    /** Stops reading and waits for missing acknowledgements until the signal aborts. */
    async waitForAcknowledgements(signal: AbortSignal): Promise<void> {
      clearInterval(pacing);
      clearInterval(dropping);
      while (waiting() > 0 && !signal.aborted) await sleep(tickMs);
    },
    close(): void {
      for (const timer of [pacing, dropping, timeoutChecks]) clearInterval(timer);
      for (const gateway of gateways) gateway.close();
    },
  };
}

const delaysOf = (histogram: ReturnType<typeof createHistogram>): { p50Ms: number; p99Ms: number } => ({
  p50Ms: histogram.percentile(50) / 1000,
  p99Ms: histogram.percentile(99) / 1000,
});
