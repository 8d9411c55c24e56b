import { signal } from '@preact/signals';
import { getSystem } from '#contract/gateway/system.ts';
import { Notice } from '../parts/notice.tsx';
import { texts } from '../parts/text.ts';
import { gateway } from './gateway-api.ts';

const t = texts({
  en: {
    restarting: 'The gateway restarts. This page waits for it.',
    back: 'The gateway is back.',
    late: 'The gateway has not come back yet. See whether it has power and is in the same network as you.',
  },
  sv: {
    restarting: 'Gatewayen startar om. Sidan väntar på den.',
    back: 'Gatewayen är tillbaka.',
    late: 'Gatewayen har inte kommit tillbaka ännu. Se om den har ström och finns i samma nätverk som du.',
  },
});

type Restart = 'restarting' | 'back' | 'late';

const restart = signal<Restart | undefined>(undefined);

const askMs = 1000;
const lateMs = 60_000; // a small computer starts within that
const shownMs = 5000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** A restart that the gateway has announced: it is over when the gateway has run for less long than before. */
export async function followRestart(): Promise<void> {
  if (restart.peek() === 'restarting') return;
  restart.value = 'restarting';
  const since = performance.now();
  let ranFor = Number.POSITIVE_INFINITY;
  for (;;) {
    const runsFor = await gateway.call(getSystem).then(
      ({ uptime_seconds }) => uptime_seconds,
      () => undefined, // it is on its way down or up
    );
    if (runsFor !== undefined && runsFor < ranFor && ranFor < Number.POSITIVE_INFINITY) break;
    ranFor = runsFor ?? ranFor;
    if (performance.now() - since > lateMs) restart.value = 'late';
    await pause(askMs);
  }
  restart.value = 'back';
  await pause(shownMs);
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
