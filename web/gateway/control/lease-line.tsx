import { liftCurtailment } from '#contract/gateway/control.ts';
import type { DerKind } from '#contract/gateway/reading.ts';
import type { Status } from '#contract/gateway/status.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { clockSpan, power } from '../../parts/format.ts';
import { Failed } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';

const t = texts({
  en: {
    charge: '{what} charges with {power}',
    discharge: '{what} discharges with {power}',
    rest: '{what} rests: it neither charges nor discharges',
    limit: 'The sun gives at most {power}',
    take: 'Taken over, without a set point yet',
    battery: 'The battery',
    v2x_charger: 'The car',
    local: 'Asked for in this house.',
    cloud: 'Asked for by the platform.',
    ends: 'Ends by itself in {time}',
    lift: 'Lift the limit',
  },
  sv: {
    charge: '{what} laddar med {power}',
    discharge: '{what} laddar ur med {power}',
    rest: '{what} vilar: varken laddar eller laddar ur',
    limit: 'Solen ger högst {power}',
    take: 'Övertagen, ännu utan börvärde',
    battery: 'Batteriet',
    v2x_charger: 'Bilen',
    local: 'Begärt här i huset.',
    cloud: 'Begärt av plattformen.',
    ends: 'Upphör av sig självt om {time}',
    lift: 'Häv gränsen',
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
      <p class="number">{t('ends', { time: clockSpan(lease.ends_in_s * 1000) })}</p>
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
  if (subject === 'pv') return t('limit', { power: power(power_w) });
  const words = { what: t(charged === 'v2x_charger' ? 'v2x_charger' : 'battery'), power: power(power_w) };
  return t(power_w > 0 ? 'charge' : power_w < 0 ? 'discharge' : 'rest', words);
}
