import { signal } from '@preact/signals';
import { sleep } from '#contract/client/retry.ts';
import { getSystem } from '#contract/gateway/system.ts';
import { Notice } from '../parts/layout.tsx';
import { texts } from '../parts/text.ts';
import { gateway } from './gateway-api.ts';

const t = texts({
  restarting: 'The gateway is restarting. This page reconnects automatically.',
  back: 'The gateway is back online.',
  late: 'The gateway is not back online yet. Check that it has power and is on the same network as you.',
});

type RestartState = 'restarting' | 'back' | 'late';

const restart = signal<RestartState | undefined>(undefined);

const askMs = 1000;
const lateMs = 60_000; // a small computer starts within a minute
const shownMs = 5000;

/** Follows an announced restart until the uptime of the gateway is shorter than before. */
export async function watchRestart(): Promise<void> {
  if (restart.peek() === 'restarting') return;
  restart.value = 'restarting';
  const since = performance.now();
  let ranFor = Number.POSITIVE_INFINITY;
  for (;;) {
    const runsFor = await gateway.call(getSystem).then(
      ({ uptime_seconds }) => uptime_seconds,
      () => undefined, // not reachable during the restart
    );
    if (runsFor !== undefined && runsFor < ranFor && ranFor < Number.POSITIVE_INFINITY) break;
    ranFor = runsFor ?? ranFor;
    if (performance.now() - since > lateMs) restart.value = 'late';
    await sleep(askMs);
  }
  restart.value = 'back';
  await sleep(shownMs);
  restart.value = undefined;
}

export function RestartNotice() {
  const state = restart.value;
  if (!state) return null;
  return (
    <div class="restart">
      <Notice tone={state === 'back' ? 'good' : 'warning'}>{t(state)}</Notice>
    </div>
  );
}
