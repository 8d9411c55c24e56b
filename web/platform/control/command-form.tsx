import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { type Command, createCommand } from '#contract/cloud/commands.ts';
import { type CommandAction, commandPower, maxCommandW } from '#contract/command.ts';
import { minuteMs } from '#contract/time.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { effectWords, wayWords } from '../../parts/command-words.ts';
import { useDecimal } from '../../parts/decimal.ts';
import { Segments } from '../../parts/field.tsx';
import { power, timeOfDay } from '../../parts/format.ts';
import { now } from '../../parts/now.ts';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import type { Controllable } from './controllable.ts';
import { firstPower, reachOf, withinReach } from './controllable.ts';

const stepW = 50;

type PowerFieldProps = { label: string; watts: string; mostW: number; isKnown: boolean; onWatts(watts: string): void };

/** A power: by the slider roughly, as a number exactly. */
function PowerField({ label, watts, mostW, isKnown, onWatts }: PowerFieldProps) {
  const id = useId();
  const words = power(watts === '' ? undefined : Number(watts));
  const exact = useDecimal({ value: watts, onValue: onWatts, min: 0, max: isKnown ? mostW : maxCommandW });
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
          max={mostW}
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
        {isKnown ? t('known', { most: power(mostW) }) : t('unknown')}
      </p>
    </div>
  );
}

const t = texts({
  en: {
    what: 'What it shall do',
    power: 'Power',
    most: 'At most',
    long: 'For how long',
    minutes: '{minutes} min',
    effect:
      '{effect} until {time}, for {minutes} minutes. Then the device goes back to its own mode by itself, also without the internet.',
    replaces: 'It takes the place of what holds now.',
    send: 'Send',
    exact: 'The same in watts',
    watts: 'W',
    known: 'It can do {most} at most.',
    unknown: 'What it can do at most is not known here; the gateway refuses what is too much.',
  },
  sv: {
    what: 'Vad den ska göra',
    power: 'Effekt',
    most: 'Högst',
    long: 'Hur länge',
    minutes: '{minutes} min',
    effect:
      '{effect} till {time}, i {minutes} minuter. Sedan går enheten tillbaka till sitt eget läge av sig själv, även utan internet.',
    replaces: 'Det ersätter det som gäller nu.',
    send: 'Skicka',
    exact: 'Detsamma i watt',
    watts: 'W',
    known: 'Den klarar högst {most}.',
    unknown: 'Vad den klarar som mest är inte känt här; gatewayen nekar det som är för mycket.',
  },
});

const minuteChoices = [5, 15, 30, 60];
const firstMinutes = 15;

type Props = {
  part: Controllable;
  ratedW: number | undefined;
  isHeld: boolean;
  timeZone: string | undefined;
  onCommand(command: Command): void;
};

/** Asks for a power and a time, and says what that will do. */
export function CommandForm({ part, ratedW, isHeld, timeZone, onCommand }: Props) {
  const { id: der_id, type, ways } = part;
  const { mostW, isKnown } = reachOf(ratedW);
  const typed = useSignal<string | undefined>(undefined);
  const way = useSignal<string>(ways[0]!);
  const watts = typed.value ?? String(firstPower(mostW));
  const minutes = useSignal(String(firstMinutes));
  const power_w = commandPower(way.value as CommandAction, Number(watts));
  useEffect(() => {
    if (typed.peek() !== undefined) typed.value = withinReach(typed.peek()!, { mostW, isKnown });
  }, [mostW, isKnown]);
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
          choices={ways.map((each) => ({ value: each, label: wayWords(each) }))}
        />
      )}
      {way.value !== 'idle' && (
        <PowerField
          label={t(way.value === 'curtail' ? 'most' : 'power')}
          watts={watts}
          mostW={mostW}
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
          {isHeld && t('replaces')}
        </p>
      )}
    </ActionForm>
  );
}
