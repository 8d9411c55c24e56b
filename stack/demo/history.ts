import { setTimeout as sleep } from 'node:timers/promises';
import { brokerOrigin } from '#contract/broker-origin.ts';
import type { Client } from '#contract/client.ts';
import { getDer } from '#contract/cloud/devices.ts';
import type { DerKind } from '#contract/gateway/reading.ts';
import { dayMs, minuteMs } from '#contract/time.ts';
import { telemetryTopic } from '#contract/topics.ts';
import type { Identity } from '#gateway/identity/identity.ts';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import { connectAsync, type MqttClient } from '#lib/mqtt.ts';
import { counterNames, type HouseStart, type HouseState, startFrom } from '#sim/house/state.ts';
import { createHouse } from '#sim/house.ts';
import { readingOf } from '#sim/street-gateways/readings.ts';
import { demoDevices, homeModel } from './house.ts';

/** Returns the UTC midnight from which the history of the demo home has readings; before it, only energy. */
export const startOfReadings = (until: number): number => Math.floor((until - 2 * dayMs) / dayMs) * dayMs;

const homeBefore = (until: number) => createHouse({ ...homeModel, clock: { now: () => startOfReadings(until) } });

/** Returns the state of the home at the end of its simulated history, from which its counters continue. */
export const endOfHistory = (until: number): HouseStart => startFrom(homeBefore(until).at(until));

type HistoryReading = { sn: string; kind: DerKind; timestamp: number; json: string };

/** Yields one reading per minute of each DER, oldest first; the same for the same end. */
export function* historyReadings(until: number): Generator<HistoryReading> {
  const home = homeBefore(until);
  const devices = demoDevices.map(({ part, ...device }) => ({ ...device, house: part(home) }));
  for (let timestamp = startOfReadings(until); timestamp <= until - minuteMs; timestamp += minuteMs) {
    for (const { sn, ders, house, countWh } of devices) {
      const state = counted(house.at(timestamp), countWh);
      for (const { kind } of ders) yield { sn, kind, timestamp, json: readingOf(kind, state) };
    }
  }
}

/** Rounds the counters down to the resolution of the registers, so that the live counters do not fall behind them. */
function counted(state: HouseState, countWh: number): HouseState {
  const Wh = { ...state.Wh };
  for (const name of counterNames) Wh[name] = Math.floor(Wh[name] / countWh) * countWh;
  return { ...state, Wh };
}

export type HistoryOptions = {
  until: number;
  identity: Pick<Identity, 'serial' | 'brokerToken'>;
  mqttUrl: string;
  ders: readonly { id: string }[];
  api: Client;
  /** enters the energy of the time before there are readings */
  enterPastYear(until: number, signal: AbortSignal): Promise<void>;
  onStored(): Promise<void>;
  clock: Clock;
  log: Logger;
};

const pollMs = 500;
const batchSize = 120;
const batchMs = 100; // 1200 readings a second, which leaves the platform time for live data

/** Enters a year of simulated energy, and sends two to three days of simulated readings in the background, after the first live readings, which stay the latest. */
export function startBackfill(options: HistoryOptions): { close(): Promise<void> } {
  const { until, ders, api, enterPastYear, onStored, log } = options;
  const closing = new AbortController();
  const { signal } = closing;

  async function isLive(): Promise<boolean> {
    const states = await Promise.all(ders.map(({ id }) => api.call(getDer, { params: { der_id: id } })));
    return states.every(({ latest }) => latest !== null);
  }

  async function run(): Promise<void> {
    while (!(await isLive())) await sleep(pollMs, undefined, { signal });
    signal.throwIfAborted();
    await enterPastYear(startOfReadings(until), signal);
    await send(options, signal);
    await onStored();
  }
  const running = run().catch((error: unknown) => {
    if (!signal.aborted)
      log.warn({ err: error }, 'failed to backfill the history of the demo home; the next start tries again');
  });
  return {
    async close() {
      closing.abort();
      await running;
    },
  };
}

/** Sends all readings; throws when aborted. Repeating it is safe: a reading that is sent twice is stored once. */
async function send({ until, identity, mqttUrl, clock }: HistoryOptions, signal: AbortSignal): Promise<void> {
  const { serial } = identity;
  const aud = brokerOrigin(mqttUrl);
  if (!aud) throw new Error(`${mqttUrl} is not an MQTT address.`);
  const password = await identity.brokerToken(clock.now(), { aud });
  const login = { clientId: `${serial}-past`, username: serial, password };
  const client = await connectAsync(mqttUrl, { ...login, protocolVersion: 4, reconnectPeriod: 0 }, false);
  const abandon = (): void => void client.end(true);
  signal.addEventListener('abort', abandon);
  try {
    const closed = closeOf(client);
    signal.throwIfAborted();
    const readings = historyReadings(until);
    for (let batch = take(readings); batch.length > 0; batch = take(readings)) {
      const published = batch.map(({ sn, kind, json }) =>
        client.publishAsync(telemetryTopic(serial, sn, kind), json, { qos: 1 }),
      );
      await Promise.race([Promise.all([...published, sleep(batchMs)]), closed]);
    }
  } finally {
    signal.removeEventListener('abort', abandon);
    await client.endAsync(true); // without waiting for acknowledgements
  }
}

function closeOf(client: MqttClient): Promise<never> {
  const closed = new Promise<never>((_, reject) => {
    client.once('close', () => reject(new Error('The broker closed the connection.')));
  });
  closed.catch(() => {}); // handled where it is awaited
  return closed;
}

/** Takes the next batch; the generator continues after it. */
const take = (readings: Generator<HistoryReading>): HistoryReading[] =>
  Array.from({ length: batchSize }, () => readings.next().value).filter((reading) => reading !== undefined);
