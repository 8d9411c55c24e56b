import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from '../measure/server-process.ts';

const lookMs = 200;
const idleShare = 0.05; // of a core
const patienceMs = 30_000;

/** Waits, with a timeout, until the process is nearly idle: its work after a start would distort the measurement. */
export async function settled({ cpuUs }: ServerProcess): Promise<void> {
  const until = performance.now() + patienceMs;
  for (let before = await cpuUs(); performance.now() < until; ) {
    await sleep(lookMs);
    const now = await cpuUs();
    if (now - before < idleShare * lookMs * 1000) return;
    before = now;
  }
}
