import { useSignal } from '@preact/signals';
import { type CommandAction, commandPower, defaultLeaseS, maxLeaseS } from '#contract/command.ts';
import { curtail, setBattery } from '#contract/gateway/control.ts';
import type { DerKind } from '#contract/gateway/reading.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { actionWords } from '../../parts/command-words.ts';
import { choicesOf, DecimalField, Segments, Select } from '../../parts/field.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';

const t = texts({
  battery: ['Control the battery', 'Styr batteriet'],
  v2x_charger: ['Control the car', 'Styr bilen'],
  pv: ['Curtail the solar panels', 'Begränsa solpanelerna'],
  what: ['Command', 'Kommando'],
  power: ['Power (W)', 'Effekt (W)'],
  maxPower: ['Maximum power (W)', 'Högsta effekt (W)'],
  send: ['Send command', 'Skicka kommando'],
  curtail: ['Curtail', 'Begränsa'],
  duration: ['Duration', 'Varaktighet'],
  minute: ['1 minute', '1 minut'],
  minutes: ['{count} minutes', '{count} minuter'],
  hour: ['1 hour', '1 timme'],
});

const actions: readonly CommandAction[] = ['charge', 'discharge', 'idle'];
const durations = [60, 300, 900, 1800, maxLeaseS].map(String);

/** Controls a battery or a car, or curtails solar panels. */
export function CommandForm({ sn, kind }: { sn: string; kind: Exclude<DerKind, 'meter'> }) {
  const isCurtailment = kind === 'pv';
  const action = useSignal<CommandAction>(isCurtailment ? 'curtail' : 'charge');
  const watts = useSignal(isCurtailment ? '' : '1000');
  const duration = useSignal(String(defaultLeaseS));
  const command = useAction(() => {
    const body = { power_w: commandPower(action.value, Number(watts.value)), ttl_s: Number(duration.value) };
    return gateway.call(isCurtailment ? curtail : setBattery, { params: { sn }, body });
  });
  return (
    <details class="command">
      <summary>{t(kind)}</summary>
      <ActionForm does={command} submit={t(isCurtailment ? 'curtail' : 'send')}>
        {!isCurtailment && <Segments label={t('what')} value={action} choices={choicesOf(actions, actionWords)} />}
        {action.value !== 'idle' && (
          <DecimalField
            label={t(isCurtailment ? 'maxPower' : 'power')}
            min={isCurtailment ? 0 : 1}
            required
            value={watts}
          />
        )}
        <Select label={t('duration')} value={duration} choices={choicesOf(durations, durationWords)} />
      </ActionForm>
    </details>
  );
}

function durationWords(seconds: string): string {
  const count = Number(seconds) / 60;
  return count === 1 ? t('minute') : count === 60 ? t('hour') : t('minutes', { count });
}
