import { setTimeout as sleep } from 'node:timers/promises';
import { brokerOrigin } from '#contract/broker-origin.ts';
import type { Client } from '#contract/client.ts';
import { getDer } from '#contract/cloud/devices.ts';
import type { DerKind } from '#contract/gateway/reading.ts';
import { minuteMs } from '#contract/time.ts';
import { telemetryTopic } from '#contract/topics.ts';
import type { Identity } from '#gateway/identity/identity.ts';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import { connectAsync, type MqttClient } from '#lib/mqtt.ts';
import { type Counters, type HouseStart, type HouseState, startFrom } from '#sim/house/state.ts';
import { createHouse } from '#sim/house.ts';
import { readingOf } from '#sim/street-gateways/readings.ts';
import { demoDevices, homeModel } from './house.ts';

// What the home would have told if it had always stood there.

const hours = 48;
const pastMs = hours * 60 * minuteMs;

const homeBefore = (until: number) => createHouse({ ...homeModel, clock: { now: () => until - pastMs } });

/** What the home goes on from, so that its counters follow those of its past. */
export const endOfPast = (until: number): HouseStart => startFrom(homeBefore(until).at(until));

type PastReading = { sn: string; kind: DerKind; timestamp: number; json: string };

/** A reading of each DER a minute, oldest first, and always the same for the same end. */
export function* pastReadings(until: number): Generator<PastReading> {
  const home = homeBefore(until);
  const devices = demoDevices.map(({ part, ...device }) => ({ ...device, house: part(home) }));
  const first = Math.ceil((until - pastMs) / minuteMs) * minuteMs;
  for (let timestamp = first; timestamp <= until - minuteMs; timestamp += minuteMs) {
    for (const { sn, ders, house, countWh } of devices) {
      const state = counted(house.at(timestamp), countWh);
      for (const kind of Object.keys(ders) as DerKind[]) yield { sn, kind, timestamp, json: readingOf(kind, state) };
    }
  }
}

/** As far as the registers of the device have counted, or they would seem to count back afterwards. */
function counted(state: HouseState, countWh: number): HouseState {
  const counters = Object.entries(state.Wh).map(([name, Wh]) => [name, Math.floor(Wh / countWh) * countWh]);
  return { ...state, Wh: Object.fromEntries(counters) as Counters };
}

export type PastOptions = {
  until: number;
  identity: Pick<Identity, 'serial' | 'brokerToken'>;
  mqttUrl: string;
  /** of the home, and somebody who may read them */
  ders: readonly { id: string }[];
  api: Client;
  /** all of it is safe */
  done(): Promise<void>;
  clock: Clock;
  log: Logger;
};

const lookMs = 500;
const batchSize = 120;
const batchMs = 100; // 1200 a second, which leaves the platform time for those who are there now

/**
 * Sends the past of the home in the background, as what a gateway has kept through an outage: over its own way to the
 * platform, with the times of then. It waits until there is a present, so that nobody takes it for news.
 */
export function startSendingPast(options: PastOptions): { close(): Promise<void> } {
  const { ders, api, done, log } = options;
  const closing = new AbortController();
  const { signal } = closing;

  async function isLive(): Promise<boolean> {
    const told = await Promise.all(ders.map(({ id }) => api.call(getDer, { params: { der_id: id } })));
    return told.every(({ latest }) => latest !== null);
  }

  async function run(): Promise<void> {
    while (!(await isLive())) await sleep(lookMs, undefined, { signal });
    signal.throwIfAborted();
    await send(options, signal);
    await done();
  }
  const running = run().catch((error: unknown) => {
    if (!signal.aborted) log.warn({ err: error }, 'the past of the home was not sent; the next start tries again');
  });
  return {
    async close() {
      closing.abort();
      await running;
    },
  };
}

/** Aborting throws. The broker acknowledges what is stored, and a reading that is sent twice is stored once. */
async function send({ until, identity, mqttUrl, clock }: PastOptions, signal: AbortSignal): Promise<void> {
  const { serial } = identity;
  const password = identity.brokerToken(clock.now(), { aud: brokerOrigin(mqttUrl)! });
  const login = { clientId: `${serial}-past`, username: serial, password };
  const client = await connectAsync(mqttUrl, { ...login, protocolVersion: 4, reconnectPeriod: 0 }, false);
  const abandon = (): void => void client.end(true);
  signal.addEventListener('abort', abandon);
  try {
    const closed = closeOf(client);
    signal.throwIfAborted();
    for (const batch of batchesOf(pastReadings(until))) {
      const published = batch.map(({ sn, kind, json }) =>
        client.publishAsync(telemetryTopic(serial, sn, kind), json, { qos: 1 }),
      );
      await Promise.race([Promise.all([...published, sleep(batchMs)]), closed]);
    }
  } finally {
    signal.removeEventListener('abort', abandon);
    await client.endAsync(true); // or it waits for answers that a lost connection never brings
  }
}

/** Rejects when the connection ends. */
function closeOf(client: MqttClient): Promise<never> {
  const closed = new Promise<never>((_, reject) => {
    client.once('close', () => reject(new Error('The broker closed the connection.')));
  });
  closed.catch(() => {}); // heard of where it is waited for
  return closed;
}

function* batchesOf(readings: Iterable<PastReading>): Generator<PastReading[]> {
  let batch: PastReading[] = [];
  for (const reading of readings) {
    batch.push(reading);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}
