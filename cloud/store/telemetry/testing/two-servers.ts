import type { TestContext } from 'node:test';
import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';
import { freshDatabase } from '#test/services/postgres.ts';
import { createPool } from '../../pool.ts';
import { openPostgresTelemetry } from '../postgres/open.ts';
import { PartitionMap, type ServerPool } from '../postgres/partitions.ts';
import type { Sample, TelemetryStore } from '../telemetry-store.ts';
import { bucketsOf, rawOf } from './answers.ts';

const retention = { rawMs: 30 * dayMs, minutesMs: 60 * dayMs, hoursMs: 100 * dayMs };
const log = createLog({ level: 'silent', name: 'test' });

export const partitions = 2;
export const ders = Array.from({ length: 2 * partitions }, (_, i) => 1 + i);
export const start = Date.UTC(2026, 4, 4);
const historyMs = dayMs + 3 * hourMs;
/** the time of the first reading after the history */
export const now = start + historyMs;

export type TwoServers = {
  names: { name: string; url: string }[];
  open(): Promise<TelemetryStore>;
  partitionMap(): PartitionMap<ServerPool>;
};

/** Two databases, as the servers main and east. */
export async function openTwoServers(t: TestContext): Promise<TwoServers> {
  const [main, east] = [await freshDatabase(), await freshDatabase()];
  const closing: (() => Promise<void>)[] = [];
  t.after(async () => {
    for (const close of closing) await close();
    await Promise.all([main.drop(), east.drop()]);
  });
  const names = [
    { name: 'main', url: main.url },
    { name: 'east', url: east.url },
  ];
  return {
    names,
    async open() {
      const servers = names.slice(1);
      const store = await openPostgresTelemetry({ url: main.url, servers, partitions, retention, log });
      closing.push(store.close);
      return store;
    },
    partitionMap() {
      const pools = names.map(({ name, url }) => ({ name, reading: createPool(url, 4, () => {}) }));
      closing.push(async () => void (await Promise.all(pools.map(({ reading }) => reading.end()))));
      return new PartitionMap(pools);
    },
  };
}

let received = 0;

/** The nth reading of a DER. */
export const sampleOf = (der: number, n: number): Sample => ({
  der,
  at: now + n * 1000,
  received: now * 1000 + ++received,
  body: JSON.stringify({ n, total_import_Wh: n }),
});

/** Stores a day of history: in chunks of days and hours, in sorted rows and in recent ones. */
export async function fillHistory(store: TelemetryStore): Promise<void> {
  const readings = historyMs / (10 * minuteMs);
  const samples = ders.flatMap((der) =>
    Array.from({ length: readings }, (_, n): Sample => {
      const at = start + n * 10 * minuteMs;
      return { der, at, received: at * 1000 + der, body: JSON.stringify({ W: der * n, total_import_Wh: n }) };
    }),
  );
  await store.append(samples.filter(({ at }) => at < now - 10 * minuteMs));
  await store.seal(now);
  await store.append(samples.filter(({ at }) => at >= now - 10 * minuteMs));
}

/** All answers about the history. */
export async function answersOf(store: TelemetryStore): Promise<unknown> {
  const hours = Array.from({ length: historyMs / hourMs + 1 }, (_, hour) => start + hour * hourMs);
  const each = await Promise.all(
    ders.map(async (der) => [await rawOf(store, der, start, now), await bucketsOf(store, der, hours)]),
  );
  return each;
}
