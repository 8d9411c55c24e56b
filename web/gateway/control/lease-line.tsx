import { liftCurtailment } from '#contract/gateway/control.ts';
import type { DerKind } from '#contract/gateway/reading.ts';
import type { Status } from '#contract/gateway/status.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { effectWords } from '../../parts/command-words.ts';
import { countdown } from '../../parts/format.ts';
import { Failed } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';

const t = texts({
  en: {
    take: 'Taken over, without a set point yet',
    local: 'Asked for in this house.',
    cloud: 'Asked for by the platform.',
    ends: 'Ends by itself in {time}',
    lift: 'Lift the curtailment',
  },
  sv: {
    take: 'Övertagen, ännu utan börvärde',
    local: 'Begärt här i huset.',
    cloud: 'Begärt av plattformen.',
    ends: 'Upphör av sig självt om {time}',
    lift: 'Häv begränsningen',
  },
});

type Lease = Status['control'][number]['held'][number];
type LeaseProps = { sn: string; lease: Lease; charged: DerKind | undefined };

/** What is held, who asked for it, and how long it still holds. */
export function LeaseLine({ sn, lease, charged }: LeaseProps) {
  const lift = useAction(() => gateway.call(liftCurtailment, { params: { sn } }));
  return (
    <div class="lease">
      <b>{sentenceOf(lease, charged)}</b>
      <p class="soft">{t(lease.origin === 'local' ? 'local' : 'cloud')}</p>
      <p class="number">{t('ends', { time: countdown(lease.ends_in_s * 1000) })}</p>
      {lease.subject === 'pv' && (
        <ActionButton does={lift} tone="plain">
          {t('lift')}
        </ActionButton>
      )}
      {lift.problem !== undefined && <Failed problem={lift.problem} />}
    </div>
  );
}

function sentenceOf({ subject, power_w }: Lease, charged: DerKind | undefined): string {
  if (subject === 'take') return t('take');
  if (subject === 'pv') return effectWords('solar', power_w);
  return effectWords(charged === 'v2x_charger' ? 'ev_charger_port' : 'battery', power_w);
}
