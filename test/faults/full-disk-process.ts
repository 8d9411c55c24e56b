import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openOutbox } from '#gateway/uplink/outbox/outbox.ts';
import { createTrustedTime } from '#gateway/uplink/trusted-time.ts';
import { createLog } from '#lib/log.ts';
import { createFakeClock } from '../fake-clock.ts';
import { createBallast } from './small-disk.ts';

// An outbox on a small disk, the given folder. Prints at the end what became of its samples.

const [folder] = process.argv.slice(2) as [string];
const clock = createFakeClock(Date.parse('2026-06-01T12:00:00Z'));
const monotonic = { now: () => performance.now() };
const open = (minFreeBytes = 0) =>
  openOutbox({
    folder: join(folder, 'outbox'),
    time: createTrustedTime(clock, monotonic),
    monotonic,
    boot: 'test',
    limits: { commitMs: 2, segmentBytes: 100_000, minFreeBytes, maxUnwritten: 3000, upkeepMs: 1000 },
    log: createLog({ level: 'silent', name: 'test' }),
  });

let outbox = await open();
let taken = 0;
const ready = { count: 0 };
const count = (): void =>
  outbox.onReady(({ length }) => {
    ready.count += length;
  });
count();

async function take(count: number): Promise<void> {
  for (let made = 0; made < count; made++, taken++) {
    clock.advance(10_000);
    const reading = { type: 'pv', timestamp: clock.now(), read_time_ms: 3, make: 'Test', W: -taken } as const;
    outbox.add('INV-1/pv', reading);
    if (made % 50 === 0) await sleep(1);
  }
}

const reserve = join(folder, 'outbox/reserve');
const ballast = createBallast(folder);

const untilWritten = async (): Promise<void> => {
  for (let tries = 0; outbox.counts().unwritten > 0 && tries < 1000; tries++) await sleep(10);
};

await take(15_000); // more than fits at full rate
await untilWritten();
const thinning = { taken, ...outbox.counts() };

async function handOn(count: number): Promise<{ handedOn: number }> {
  const before = ready.count;
  await take(count);
  for (let tries = 0; ready.count < before + count && tries < 1000; tries++) await sleep(10);
  return { handedOn: ready.count - before };
}

await ballast.fill();
const full = await handOn(500);

await ballast.empty();
await untilWritten();
const freed = { taken, ...outbox.counts() };
await outbox.close();
outbox = await open();
const reopened = outbox.counts();

while (!existsSync(reserve)) await sleep(10);
await outbox.close();
await ballast.fill();
outbox = await open();
count();
const restarted = await handOn(500);

await outbox.close();
await rm(reserve, { force: true });
await ballast.fill();
outbox = await open(2 ** 40);
count();
for (let tries = 0; outbox.counts().dropped.disk_full === undefined && tries < 500; tries++) await sleep(10);
await sleep(1500); // sequence numbers are reserved every second
const restartedBare = await handOn(500);
await outbox.close();
console.log(JSON.stringify({ thinning, full, freed, reopened, restarted, restartedBare }));
