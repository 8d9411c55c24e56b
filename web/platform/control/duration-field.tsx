import { type Signal, useSignal } from '@preact/signals';
import type { SiteReading } from '#contract/client/site-stream.ts';
import type { createOrder } from '#contract/cloud/orders.ts';
import { cheapestStepS, maxOrderS, minOrderS } from '#contract/cloud/orders.ts';
import type { CommandAction } from '#contract/command.ts';
import { maxLeaseS } from '#contract/command.ts';
import type { RequestOf } from '#contract/route.ts';
import { hourMs } from '#contract/time.ts';
import { nextTimeOfDay } from '#contract/time-zone.ts';
import { editable } from '../../parts/bound-value.ts';
import { choicesOf, DecimalField, Field, Segments } from '../../parts/field.tsx';
import { now } from '../../parts/now.ts';
import { inUnit, number, percent, texts } from '../../parts/text.ts';
import { untilWords } from './order-words.ts';

const t = texts({
  hours: '{hours} h',
  untilTime: 'Until {time}',
  untilFull: 'Until full',
  untilCharge: 'Until {charge}',
  cheapest: 'Cheapest {hours} h',
  other: 'Other',
  time: 'Until what time',
  charge: 'State of charge, in percent',
  cheapHours: 'Hours in a row',
  wholeHours: 'Hours',
  restMinutes: 'Minutes',
  forMinutes: '{effect} until {time} ({duration}).',
  until: '{effect} until {time}.',
  toCharge: '{effect} until its state of charge is {charge}, at most until {time}.',
  inCheapest:
    '{effect} in the {hours} hours in a row that cost least, among the known prices. Until then the device is in automatic.',
});

const minuteChoices = ['5', '15', '60', '360'] as const;
type Choice = (typeof minuteChoices)[number] | 'until' | 'charge' | 'cheapest' | 'other';

type OrderEnd = Omit<RequestOf<typeof createOrder>['body'], 'power_w'>;

/** How long a command lasts: a command of so many seconds, or the end of an order; undefined while the form is incomplete. */
export type Duration = { ttl_s: number } | { order: OrderEnd } | undefined;

type Choices = {
  choice: Signal<Choice>;
  time: Signal<string>;
  charge: Signal<string>;
  cheapHours: Signal<string>;
  otherHours: Signal<string>;
  otherMinutes: Signal<string>;
};

/** Keeps what is entered of the duration. */
export function useDuration(): Choices {
  return {
    choice: useSignal<Choice>('15'),
    time: useSignal('07:00'),
    charge: useSignal(''),
    cheapHours: useSignal('3'),
    otherHours: useSignal('2'),
    otherMinutes: useSignal('0'),
  };
}

const chargeOf = (reading: SiteReading | undefined): number | undefined =>
  reading?.SoC_nom_fract ?? reading?.vehicle_soc_fract;

const defaultChargeOf = (way: CommandAction): string => (way === 'discharge' ? '20' : '100');

const givenCharge = ({ charge }: Choices, way: CommandAction): string => charge.value || defaultChargeOf(way);

type Asked = { way: CommandAction; reading: SiteReading | undefined; hasPrices: boolean };

/** Returns the choices for an action, to a device with this reading. */
function offered({ way, reading, hasPrices }: Asked): Choice[] {
  const moves = way === 'charge' || way === 'discharge';
  return [
    ...minuteChoices,
    'until',
    ...(moves && chargeOf(reading) !== undefined ? (['charge'] as const) : []),
    ...(way !== 'discharge' && hasPrices ? (['cheapest'] as const) : []),
    'other',
  ];
}

/** Returns the selected choice, or the usual one if the action does not offer that. */
const selected = (choices: Choices, asked: Asked): Choice =>
  offered(asked).includes(choices.choice.value) ? choices.choice.value : '15';

/** Returns the duration that is entered. */
export function durationOf(choices: Choices, asked: Asked): Duration {
  const choice = selected(choices, asked);
  if (choice === 'until') return choices.time.value ? { order: { until: choices.time.value } } : undefined;
  if (choice === 'charge') return { order: { until_soc_pct: Number(givenCharge(choices, asked.way)) } };
  if (choice === 'cheapest') {
    const steps = Math.round((Number(choices.cheapHours.value) * hourMs) / (cheapestStepS * 1000));
    return steps > 0 ? { order: { cheapest_s: steps * cheapestStepS } } : undefined;
  }
  const minutes = Number(choices.otherHours.value) * 60 + Number(choices.otherMinutes.value);
  const seconds = Math.round(choice === 'other' ? minutes : Number(choice)) * 60;
  if (!(seconds >= minOrderS && seconds <= maxOrderS)) return undefined;
  return seconds <= maxLeaseS ? { ttl_s: seconds } : { order: { for_s: seconds } };
}

/** Describes the effect of a duration; `effect` is the beginning of the sentence. */
export function durationWords(duration: Duration, effect: string, timeZone: string | undefined): string | undefined {
  if (!duration) return undefined;
  const seconds = 'ttl_s' in duration ? duration.ttl_s : duration.order.for_s;
  if (seconds !== undefined) {
    const time = untilWords(now.value + seconds * 1000, timeZone);
    const isShort = seconds < 2 * 3600 && seconds % 3600 !== 0;
    return t('forMinutes', {
      effect,
      time,
      duration: isShort ? inUnit(seconds / 60, 'minute') : inUnit(seconds / 3600, 'hour', seconds % 3600 ? 1 : 0),
    });
  }
  const { until, until_soc_pct, cheapest_s } = 'order' in duration ? duration.order : {};
  if (until !== undefined) {
    return t('until', { effect, time: untilWords(nextTimeOfDay(timeZone, until, now.value), timeZone) });
  }
  if (until_soc_pct !== undefined) {
    const time = untilWords(now.value + maxOrderS * 1000, timeZone);
    return t('toCharge', { effect, charge: percent(until_soc_pct / 100), time });
  }
  return t('inCheapest', { effect, hours: number((cheapest_s ?? 0) / 3600, (cheapest_s ?? 0) % 3600 ? 2 : 0) });
}

/** Chooses how long a command lasts, with a field for what the choice leaves open. */
export function DurationField({ choices, asked }: { choices: Choices; asked: Asked }) {
  const { choice, time, charge, cheapHours, otherHours, otherMinutes } = choices;
  const chosen = selected(choices, asked);
  const { way } = asked;
  const label = (each: Choice): string => {
    if (each === 'until') return t('untilTime', { time: time.value || '…' });
    if (each === 'charge') {
      const pct = Number(givenCharge(choices, way));
      return way === 'charge' && pct === 100 ? t('untilFull') : t('untilCharge', { charge: percent(pct / 100) });
    }
    if (each === 'cheapest') return t('cheapest', { hours: cheapHours.value });
    if (each === 'other') return t('other');
    const minutes = Number(each);
    return minutes < 60 ? t('minutes', { minutes }) : t('hours', { hours: minutes / 60 });
  };
  const shown = editable(chosen, (given) => (choice.value = given));
  return (
    <div class="field">
      <span class="label" aria-hidden="true">
        {t('duration')}
      </span>
      <Segments label={t('duration')} value={shown} choices={choicesOf(offered(asked), label)} />
      {chosen === 'until' && <Field label={t('time')} type="time" value={time} required />}
      {chosen === 'charge' && (
        <DecimalField label={t('charge')} value={charge} placeholder={defaultChargeOf(way)} min={1} max={100} />
      )}
      {chosen === 'cheapest' && (
        <DecimalField label={t('cheapHours')} value={cheapHours} min={0.25} max={24} required />
      )}
      {chosen === 'other' && (
        <div class="hours-and-minutes">
          <DecimalField label={t('wholeHours')} value={otherHours} min={0} max={24} required />
          <DecimalField label={t('restMinutes')} value={otherMinutes} min={0} max={59} required />
        </div>
      )}
    </div>
  );
}
