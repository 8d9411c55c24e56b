import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from '../measure/server-process.ts';

const lookMs = 200;
const idleShare = 0.05; // of a core
const patienceMs = 30_000;

/** Waits, not too long, until the process does next to nothing: its work after a start would count with what is measured. */
export async function settled({ cpuUs }: ServerProcess): Promise<void> {
  const until = performance.now() + patienceMs;
  for (let before = await cpuUs(); performance.now() < until; ) {
    await sleep(lookMs);
    const now = await cpuUs();
    if (now - before < idleShare * lookMs * 1000) return;
    before = now;
  }
}
