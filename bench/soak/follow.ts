import { setTimeout as sleep } from 'node:timers/promises';
import { minuteMs } from '#contract/time.ts';
import type { OwnServer } from '../measure/server-process.ts';
import { type Health, healthOf } from './health.ts';

const everyMs = 30_000; // the collections before each check cost more than the load

/** Checks the platform while the fleet publishes, and afterwards while it counts. Prints the state every minute. */
export async function follow(server: OwnServer, minutes: number, isOver: () => boolean): Promise<Health[]> {
  const began = performance.now();
  const health: Health[] = [];
  while (!isOver() && performance.now() < began + minutes * minuteMs) {
    const waitMs = began + health.length * everyMs - performance.now();
    if (waitMs > 0) {
      await sleep(Math.min(1000, waitMs));
      continue;
    }
    const now = await healthOf(server, (performance.now() - began) / minuteMs);
    if ((health.length * everyMs) % minuteMs === 0) print(now);
    health.push(now);
  }
  return health;
}

function print({ minute, usedMb, heldMb, ownMb, residentMb, heapMb, openFiles, loopP99Ms }: Health): void {
  console.log(
    `minute ${Math.round(minute)}: ${usedMb.toFixed(1)} MB used, ${heldMb.toFixed(1)} held, ${ownMb.toFixed(1)} of its own, ${residentMb.toFixed(1)} resident, ${heapMb.toFixed(1)} MB of heap, ${openFiles} open files, event loop ${loopP99Ms.toFixed(1)} ms at 99 %`,
  );
}
