import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '#lib/clock.ts';
import { heardSince, signInWith } from '../stack/owner.ts';
import { anyPorts, startUp } from '../stack/up-process.ts';

const derCount = 6; // of the devices of the demo

export type Starts = {
  /** how long a device is listened for */
  withinMs?: number;
  /** a planted bug: its gateway keeps using the platform's address from before the kill */
  isStubborn?: boolean;
};

/** Kills everything on one machine again and again; how long it took each time until every device is heard again. */
export async function killWholeStack(
  rounds: number,
  { withinMs = 60_000, isStubborn = false }: Starts = {},
): Promise<number[]> {
  await using open = new AsyncDisposableStack();
  const { path: data } = open.use(await mkdtempDisposable(join(tmpdir(), 'ohmstead-stack-')));
  const context = { after: (end?: unknown) => open.defer(end as () => void) };
  const tookMs: number[] = [];
  let up = await startUp(context, data);
  const env = isStubborn ? { ...anyPorts, UPLINK_URL: up.state.mqtt_url } : anyPorts;
  for (let round = 0; round < rounds; round++) {
    await up.stop('SIGKILL');
    const [began, since] = [performance.now(), systemClock.now()];
    up = await startUp(context, data, [], env);
    const { token } = await signInWith(up.state);
    const isHeard = await heardSince(up.state, token, { since, count: derCount, withinMs }).then(
      () => true,
      () => false,
    );
    tookMs.push(isHeard ? Math.round(performance.now() - began) : Number.POSITIVE_INFINITY);
  }
  await up.stop();
  return tookMs;
}
