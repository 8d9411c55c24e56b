import { type Signal, useSignal } from '@preact/signals';
import { type CommandAction, commandPower, defaultLeaseS, maxLeaseS } from '#contract/command.ts';
import { curtail, setBattery } from '#contract/gateway/control.ts';
import type { DerKind } from '#contract/gateway/reading.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { actionWords } from '../../parts/command-words.ts';
import { DecimalField, Segments, Select } from '../../parts/field.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';

const t = texts({
  battery: ['Control the battery', 'Styr batteriet'],
  v2x_charger: ['Control the car', 'Styr bilen'],
  what: ['Command', 'Kommando'],
  power: ['Power (W)', 'Effekt (W)'],
  submit: ['Send command', 'Skicka kommando'],
});

const actions: readonly CommandAction[] = ['charge', 'discharge', 'idle'];

export function BatteryForm({ sn, kind }: { sn: string; kind: DerKind }) {
  const action = useSignal<CommandAction>('charge');
  const watts = useSignal('1000');
  const duration = useSignal(defaultDuration);
  const command = useAction(() =>
    gateway.call(setBattery, {
      params: { sn },
      body: { power_w: commandPower(action.value, Number(watts.value)), ttl_s: Number(duration.value) },
    }),
  );
  return (
    <details class="command">
      <summary>{t(kind === 'v2x_charger' ? 'v2x_charger' : 'battery')}</summary>
      <ActionForm does={command} submit={t('submit')}>
        <Segments
          label={t('what')}
          value={action}
          choices={actions.map((value) => ({ value, label: actionWords(value) }))}
        />
        {action.value !== 'idle' && <DecimalField label={t('power')} min={1} required value={watts} />}
        <DurationField value={duration} />
      </ActionForm>
    </details>
  );
}

const durationTexts = texts({
  label: ['Duration', 'Varaktighet'],
  minute: ['1 minute', '1 minut'],
  minutes: ['{count} minutes', '{count} minuter'],
  hour: ['1 hour', '1 timme'],
});

const minuteChoices = [1, 5, 15, 30, maxLeaseS / 60];

/** Chooses the duration of a command, in seconds. */
export const DurationField = ({ value }: { value: Signal<string> }) => (
  <Select
    label={durationTexts('label')}
    value={value}
    choices={minuteChoices.map((count) => ({
      value: String(count * 60),
      label:
        count === 1
          ? durationTexts('minute')
          : count === 60
            ? durationTexts('hour')
            : durationTexts('minutes', { count }),
    }))}
  />
);

export const defaultDuration = String(defaultLeaseS);

const curtailTexts = texts({
  title: ['Curtail the solar panels', 'Begränsa solpanelerna'],
  power: ['Maximum power (W)', 'Högsta effekt (W)'],
  submit: ['Curtail', 'Begränsa'],
});

export function CurtailForm({ sn }: { sn: string }) {
  const watts = useSignal('');
  const duration = useSignal(defaultDuration);
  const command = useAction(() =>
    gateway.call(curtail, { params: { sn }, body: { power_w: Number(watts.value), ttl_s: Number(duration.value) } }),
  );
  return (
    <details class="command">
      <summary>{curtailTexts('title')}</summary>
      <ActionForm does={command} submit={curtailTexts('submit')}>
        <DecimalField label={curtailTexts('power')} min={0} required value={watts} />
        <DurationField value={duration} />
      </ActionForm>
    </details>
  );
}
