import { useSignal } from '@preact/signals';
import { type CommandAction, commandPower } from '#contract/command.ts';
import { setBattery } from '#contract/gateway/control.ts';
import type { DerKind } from '#contract/gateway/reading.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { wayWords } from '../../parts/command-words.ts';
import { DecimalField, Segments } from '../../parts/field.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';
import { DurationField, usualDuration } from './duration-field.tsx';

const t = texts({
  en: {
    battery: 'Control the battery',
    v2x_charger: 'Control the car',
    what: 'What it shall do',
    power: 'Power, W',
    submit: 'Do it',
  },
  sv: {
    battery: 'Styr batteriet',
    v2x_charger: 'Styr bilen',
    what: 'Vad den ska göra',
    power: 'Effekt, W',
    submit: 'Gör det',
  },
});

const ways: readonly CommandAction[] = ['charge', 'discharge', 'idle'];

export function BatteryForm({ sn, kind }: { sn: string; kind: DerKind }) {
  const way = useSignal<string>('charge');
  const watts = useSignal('1000');
  const duration = useSignal(usualDuration);
  const command = useAction(() =>
    gateway.call(setBattery, {
      params: { sn },
      body: { power_w: commandPower(way.value as CommandAction, Number(watts.value)), ttl_s: Number(duration.value) },
    }),
  );
  return (
    <details class="command">
      <summary>{t(kind === 'v2x_charger' ? 'v2x_charger' : 'battery')}</summary>
      <ActionForm does={command} submit={t('submit')}>
        <Segments label={t('what')} value={way} choices={ways.map((value) => ({ value, label: wayWords(value) }))} />
        {way.value !== 'idle' && <DecimalField label={t('power')} min={1} required value={watts} />}
        <DurationField value={duration} />
      </ActionForm>
    </details>
  );
}
