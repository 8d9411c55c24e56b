import { setTimeout as sleep } from 'node:timers/promises';
import { brokerOrigin } from '#contract/broker-origin.ts';
import type { Client } from '#contract/client.ts';
import { getDer } from '#contract/cloud/devices.ts';
import { telemetryTopic } from '#contract/topics.ts';
import type { Identity } from '#gateway/identity/identity.ts';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import { connectAsync, type MqttClient } from '#lib/mqtt.ts';
import { type PastReading, pastReadings } from './past.ts';

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
