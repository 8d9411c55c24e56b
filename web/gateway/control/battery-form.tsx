import { useSignal } from '@preact/signals';
import { setBattery } from '#contract/gateway/control.ts';
import type { DerKind } from '#contract/gateway/reading.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { Field, Segments } from '../../parts/field.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';
import { DurationField, usualDuration } from './duration-field.tsx';

const t = texts({
  en: {
    battery: 'Control the battery',
    v2x_charger: 'Control the car',
    what: 'What it shall do',
    charge: 'Charge',
    discharge: 'Discharge',
    rest: 'Rest',
    power: 'Power, W',
    submit: 'Do it',
  },
  sv: {
    battery: 'Styr batteriet',
    v2x_charger: 'Styr bilen',
    what: 'Vad den ska göra',
    charge: 'Ladda',
    discharge: 'Ladda ur',
    rest: 'Vila',
    power: 'Effekt, W',
    submit: 'Gör det',
  },
});

const signs: Record<string, number> = { charge: 1, discharge: -1, rest: 0 };

export function BatteryForm({ sn, kind }: { sn: string; kind: DerKind }) {
  const what = useSignal('charge');
  const watts = useSignal('1000');
  const duration = useSignal(usualDuration);
  const command = useAction(() =>
    gateway.call(setBattery, {
      params: { sn },
      body: { power_w: signs[what.value]! * Number(watts.value), ttl_s: Number(duration.value) },
    }),
  );
  return (
    <details class="command">
      <summary>{t(kind === 'v2x_charger' ? 'v2x_charger' : 'battery')}</summary>
      <ActionForm does={command} submit={t('submit')}>
        <Segments
          label={t('what')}
          value={what}
          choices={(['charge', 'discharge', 'rest'] as const).map((value) => ({ value, label: t(value) }))}
        />
        {what.value !== 'rest' && <Field label={t('power')} type="number" min={1} step="any" required value={watts} />}
        <DurationField value={duration} />
      </ActionForm>
    </details>
  );
}
