import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Command, createCommand } from '#contract/cloud/commands.ts';
import { commandPower, maxCommandW } from '#contract/command.ts';
import { minuteMs } from '#contract/time.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { type EditableValue, editable } from '../../parts/bound-value.ts';
import { actionWords, effectWords } from '../../parts/command-words.ts';
import { useDecimal } from '../../parts/decimal.ts';
import { choicesOf, FieldFrame, Segments } from '../../parts/field.tsx';
import { now } from '../../parts/now.ts';
import { power, texts, timeOfDay } from '../../parts/text.ts';
import { api } from '../session.ts';
import { type Controllable, clampPower, initialPower, powerRangeOf, type SiteControl } from './controllable.ts';

const t = texts({
  what: 'Action',
  most: 'Maximum power',
  effect:
    '{effect} until {time} ({minutes} minutes). The device then returns to automatic, even without an internet connection.',
  replaces: 'This replaces the active command.',
  exact: 'Power in watts',
  watts: 'W',
  known: 'Maximum {most}.',
  unknown: 'The device’s maximum power is unknown. The gateway rejects values that are too high.',
});

const stepW = 50;

type PowerFieldProps = { label: string; watts: EditableValue; maxW: number; isKnown: boolean };

/** A slider with a number field for exact values. */
function PowerField({ label, watts, maxW, isKnown }: PowerFieldProps) {
  const words = power(watts.value === '' ? undefined : Number(watts.value));
  const { input, mistake } = useDecimal({ value: watts, min: 0, max: isKnown ? maxW : maxCommandW });
  const says = isKnown ? t('known', { most: power(maxW) }) : t('unknown');
  const labelled = (
    <>
      {label}: <b>{words}</b>
    </>
  );
  return (
    <FieldFrame label={labelled} says={says} mistake={mistake}>
      {(id, describedBy) => (
        <div class="power-field">
          <input
            id={id}
            type="range"
            min={0}
            max={maxW}
            step={stepW}
            value={watts.value}
            aria-valuetext={words}
            onInput={(event) => (watts.value = event.currentTarget.value)}
          />
          <span>
            <input aria-label={t('exact')} aria-describedby={describedBy} required {...input} />
            {t('watts')}
          </span>
        </div>
      )}
    </FieldFrame>
  );
}

const minuteChoices = ['5', '15', '30', '60'];

type Props = { part: Controllable; active: Command | undefined; control: SiteControl };

export function CommandForm({ part, active, control }: Props) {
  const { id: der_id, type, ways } = part;
  const { maxW, isKnown } = powerRangeOf(control.readings.get(der_id)?.rated_power_W);
  const typed = useSignal<string | undefined>(undefined);
  const way = useSignal(ways[0]);
  const watts = editable(typed.value ?? String(initialPower(maxW)), (given) => (typed.value = given));
  const minutes = useSignal('15');
  const power_w = commandPower(way.value, Number(watts.value));
  useEffect(() => {
    const given = typed.peek();
    if (given !== undefined) typed.value = clampPower(given, { maxW, isKnown });
  }, [maxW, isKnown]);
  const send = useAction(async () => {
    const body = { power_w, ttl_s: Number(minutes.value) * 60 };
    control.addCommand(await api().call(createCommand, { params: { der_id }, body }));
  });
  const isGiven = way.value === 'idle' || watts.value !== '';
  const endsAt = now.value + Number(minutes.value) * minuteMs;
  return (
    <ActionForm does={send} submit={t('sendCommand')} class="command-form">
      {ways.length > 1 && <Segments label={t('what')} value={way} choices={choicesOf(ways, actionWords)} />}
      {way.value !== 'idle' && (
        <PowerField label={t(way.value === 'curtail' ? 'most' : 'power')} watts={watts} maxW={maxW} isKnown={isKnown} />
      )}
      <div class="field">
        <span class="label" aria-hidden="true">
          {t('duration')}
        </span>
        <Segments
          label={t('duration')}
          value={minutes}
          choices={choicesOf(minuteChoices, (each) => t('minutes', { minutes: each }))}
        />
      </div>
      {isGiven && (
        <p class="effect">
          {t('effect', {
            effect: effectWords(type, power_w),
            time: timeOfDay(endsAt, control.site.timezone),
            minutes: minutes.value,
          })}{' '}
          {active && t('replaces')}
        </p>
      )}
    </ActionForm>
  );
}
