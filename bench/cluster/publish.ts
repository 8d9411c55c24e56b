import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '#contract/client.ts';
import { getMetrics } from '#contract/operations.ts';
import type { Postgres } from '#test/services/postgres.ts';
import type { ServerProcess } from '../measure/server-process.ts';
import { cpuUsOf } from './process-cpu.ts';

/** A path of readings into PostgreSQL. */
export type Contender = {
  platforms: readonly ServerProcess[];
  /** Publishes this many readings of each gateway; returns the seconds until all are acknowledged. */
  publish(each: number): Promise<number>;
  gateways: number;
  /** of a broker outside the platform */
  brokerCpuUs(): number;
};

export type Round = {
  storedPerSecond: number;
  acknowledgedPerSecond: number;
  /** CPU of each part for a message, microseconds */
  platformUs: number;
  brokerUs: number;
  postgresUs: number;
};

/** Publishes readings of all gateways and waits until the last is in the database. */
export async function publish(contender: Contender, postgres: Postgres, messages: number): Promise<Round> {
  const { platforms, gateways } = contender;
  const stored = await total(platforms, storedBy);
  const before = await cpuOf(contender, postgres);
  const began = performance.now();
  const seconds = await contender.publish(messages / gateways);
  await untilStored(platforms, stored + messages);
  const took = (performance.now() - began) / 1000;
  const after = await cpuOf(contender, postgres);
  return {
    storedPerSecond: messages / took,
    acknowledgedPerSecond: messages / seconds,
    platformUs: (after.platforms - before.platforms) / messages,
    brokerUs: (after.broker - before.broker) / messages,
    postgresUs: (after.postgres - before.postgres) / messages,
  };
}

/** Only one contender runs at a time, so that all of PostgreSQL serves it. */
const cpuOf = async ({ platforms, brokerCpuUs }: Contender, postgres: Postgres) => ({
  platforms: await total(platforms, (platform) => platform.cpuUs()),
  broker: brokerCpuUs(),
  postgres: cpuUsOf(`port=${new URL(postgres.url()).port}`),
});

const lookMs = 20;
const patienceMs = 60_000;

/** Messages that are sent again after a lost connection count again: a few of many thousands. */
async function untilStored(platforms: readonly ServerProcess[], count: number): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const stored = await total(platforms, storedBy);
    if (stored >= count) return;
    if (performance.now() > deadline) throw new Error(`${count - stored} readings were not stored in time.`);
    await sleep(lookMs);
  }
}

async function storedBy({ url }: ServerProcess): Promise<number> {
  const text = await createClient({ baseUrl: url }).call(getMetrics);
  return Number(/^telemetry_stored_total (\d+)$/m.exec(text)?.[1]);
}

async function total(
  platforms: readonly ServerProcess[],
  figure: (platform: ServerProcess) => Promise<number>,
): Promise<number> {
  const figures = await Promise.all(platforms.map(figure));
  return figures.reduce((sum, each) => sum + each, 0);
}
