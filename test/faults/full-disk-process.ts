import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openOutbox } from '#gateway/uplink/outbox/outbox.ts';
import { TrustedTime } from '#gateway/uplink/trusted-time.ts';
import { createLog } from '#lib/log.ts';
import { createFakeClock } from '../fake-clock.ts';
import { createBallast } from './small-disk.ts';

// An outbox on a small disk, which is the folder given. Says at the end what became of its samples.

const [folder] = process.argv.slice(2) as [string];
const clock = createFakeClock(Date.parse('2026-06-01T12:00:00Z'));
const monotonic = { now: () => performance.now() };
const open = () =>
  openOutbox({
    folder: join(folder, 'outbox'),
    time: new TrustedTime(clock, monotonic),
    monotonic,
    boot: 'test',
    limits: { commitMs: 2, segmentBytes: 100_000, minFreeBytes: 0, mostUnwritten: 3000, upkeepMs: 1000 },
    log: createLog({ level: 'silent', name: 'test' }),
  });

let outbox = await open();
let taken = 0;
const ready = { count: 0 };
outbox.onReady(({ length }) => {
  ready.count += length;
});

async function take(count: number): Promise<void> {
  for (let made = 0; made < count; made++, taken++) {
    clock.advance(10_000);
    const reading = { type: 'pv', timestamp: clock.now(), read_time_ms: 3, make: 'Test', W: -taken } as const;
    outbox.add('INV-1/pv', reading);
    if (made % 50 === 0) await sleep(1);
  }
}

const ballast = createBallast(folder);

const untilWritten = async (): Promise<void> => {
  for (let tries = 0; outbox.counts().unwritten > 0 && tries < 1000; tries++) await sleep(10);
};

await take(15_000); // more than fits at full rate
await untilWritten();
const thinning = { taken, ...outbox.counts() };

const readyBefore = ready.count;
await ballast.fill();
await take(500);
for (let tries = 0; ready.count < readyBefore + 500 && tries < 1000; tries++) await sleep(10);
const full = { handedOn: ready.count - readyBefore };

await ballast.empty();
await untilWritten();
const freed = { taken, ...outbox.counts() };
await outbox.close();
outbox = await open();
const reopened = outbox.counts();
await outbox.close();
console.log(JSON.stringify({ thinning, full, freed, reopened }));
