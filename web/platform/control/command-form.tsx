import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { type Command, createCommand } from '#contract/cloud/commands.ts';
import { commandPower, maxCommandW } from '#contract/command.ts';
import { minuteMs } from '#contract/time.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { actionWords, effectWords } from '../../parts/command-words.ts';
import { useDecimal } from '../../parts/decimal.ts';
import { Segments } from '../../parts/field.tsx';
import { power, timeOfDay } from '../../parts/format.ts';
import { now } from '../../parts/now.ts';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import type { Controllable } from './controllable.ts';
import { clampPower, initialPower, powerRangeOf } from './controllable.ts';

const t = texts({
  what: ['Action', 'Åtgärd'],
  power: ['Power', 'Effekt'],
  most: ['Maximum power', 'Högsta effekt'],
  long: ['Duration', 'Varaktighet'],
  minutes: ['{minutes} min', '{minutes} min'],
  effect: [
    '{effect} until {time} ({minutes} minutes). The device then returns to automatic, even without an internet connection.',
    '{effect} till {time} ({minutes} minuter). Sedan återgår enheten till automatläge, även utan internet.',
  ],
  replaces: ['This replaces the active command.', 'Det här ersätter det aktiva kommandot.'],
  send: ['Send command', 'Skicka kommando'],
  exact: ['Power in watts', 'Effekt i watt'],
  watts: ['W', 'W'],
  known: ['Maximum {most}.', 'Högst {most}.'],
  unknown: [
    'The device’s maximum power is unknown. The gateway rejects values that are too high.',
    'Enhetens högsta effekt är okänd. Gatewayen avvisar för höga värden.',
  ],
});

const stepW = 50;

type PowerFieldProps = { label: string; watts: string; maxW: number; isKnown: boolean; onWatts(watts: string): void };

/** A slider with a number field for exact values. */
function PowerField({ label, watts, maxW, isKnown, onWatts }: PowerFieldProps) {
  const id = useId();
  const words = power(watts === '' ? undefined : Number(watts));
  const exact = useDecimal({ value: watts, onValue: onWatts, min: 0, max: isKnown ? maxW : maxCommandW });
  return (
    <div class="field">
      <label for={id}>
        {label}: <b>{words}</b>
      </label>
      <div class="power-field">
        <input
          id={id}
          type="range"
          min={0}
          max={maxW}
          step={stepW}
          value={watts}
          aria-valuetext={words}
          onInput={(event) => onWatts(event.currentTarget.value)}
        />
        <span>
          <input aria-label={t('exact')} aria-describedby={`${id}-says`} required {...exact.input} />
          {t('watts')}
        </span>
      </div>
      {exact.mistake && (
        <p class="mistake" role="alert">
          {exact.mistake}
        </p>
      )}
      <p class="says" id={`${id}-says`}>
        {isKnown ? t('known', { most: power(maxW) }) : t('unknown')}
      </p>
    </div>
  );
}

const minuteChoices = [5, 15, 30, 60];
const defaultMinutes = 15;

type Props = {
  part: Controllable;
  ratedW: number | undefined;
  hasActive: boolean;
  timeZone: string | undefined;
  onCommand(command: Command): void;
};

/** Form for a command, with a sentence about its effect. */
export function CommandForm({ part, ratedW, hasActive, timeZone, onCommand }: Props) {
  const { id: der_id, type, ways } = part;
  const { maxW, isKnown } = powerRangeOf(ratedW);
  const typed = useSignal<string | undefined>(undefined);
  const way = useSignal(ways[0]);
  const watts = typed.value ?? String(initialPower(maxW));
  const minutes = useSignal(String(defaultMinutes));
  const power_w = commandPower(way.value, Number(watts));
  useEffect(() => {
    const given = typed.peek();
    if (given !== undefined) typed.value = clampPower(given, { maxW, isKnown });
  }, [maxW, isKnown]);
  const send = useAction(async () => {
    const body = { power_w, ttl_s: Number(minutes.value) * 60 };
    onCommand(await api().call(createCommand, { params: { der_id }, body }));
  });
  const isGiven = way.value === 'idle' || watts !== '';
  const endsAt = now.value + Number(minutes.value) * minuteMs;
  return (
    <ActionForm does={send} submit={t('send')} class="command-form">
      {ways.length > 1 && (
        <Segments
          label={t('what')}
          value={way}
          choices={ways.map((each) => ({ value: each, label: actionWords(each) }))}
        />
      )}
      {way.value !== 'idle' && (
        <PowerField
          label={t(way.value === 'curtail' ? 'most' : 'power')}
          watts={watts}
          maxW={maxW}
          isKnown={isKnown}
          onWatts={(given) => {
            typed.value = given;
          }}
        />
      )}
      <div class="field">
        <span class="label" aria-hidden="true">
          {t('long')}
        </span>
        <Segments
          label={t('long')}
          value={minutes}
          choices={minuteChoices.map((each) => ({ value: String(each), label: t('minutes', { minutes: each }) }))}
        />
      </div>
      {isGiven && (
        <p class="effect">
          {t('effect', {
            effect: effectWords(type, power_w),
            time: timeOfDay(endsAt, timeZone),
            minutes: minutes.value,
          })}{' '}
          {hasActive && t('replaces')}
        </p>
      )}
    </ActionForm>
  );
}
