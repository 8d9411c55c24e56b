import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#lib/clock.ts';
import { heardSince, signInWith } from '../stack/owner.ts';
import { startUp } from '../stack/up-process.ts';

const derCount = 6; // of the devices of the demo
const withinMs = 60_000;

/** Kills everything on one machine again and again; how long it took each time until every device is heard again. */
export async function killWholeStack(rounds: number): Promise<number[]> {
  const data = await mkdtemp(join(tmpdir(), 'ohmstead-stack-'));
  await using open = new AsyncDisposableStack();
  open.defer(() => rm(data, { recursive: true, force: true }));
  const context = { after: (end?: unknown) => open.defer(end as () => void) };
  const tookMs: number[] = [];
  let up = await startUp(context, data);
  for (let round = 0; round < rounds; round++) {
    await up.stop('SIGKILL');
    const [began, since] = [performance.now(), systemClock.now()];
    up = await startUp(context, data);
    const { token } = await signInWith(up.state);
    await heardSince(up.state, token, { since, count: derCount, withinMs });
    tookMs.push(Math.round(performance.now() - began));
  }
  await up.stop();
  return tookMs;
}
