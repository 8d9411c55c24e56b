import type { SitePlanStep } from '#contract/cloud/plans.ts';
import { fillSentence, joinClauses, type PlanSaying, planSentences } from '#contract/plan-sentences.ts';
import { dateAt } from '#contract/time-zone.ts';
import { money, number, percent, power, shortDay, texts, timeOfDay, translated } from '../../parts/text.ts';
import { type Direction, directionOf, type PlanChange, type PlanStorage, powerOf } from './changes.ts';

const t = texts({
  charge: '{name} charges, up to {power}',
  discharge: '{name} discharges, up to {power}',
  hold: '{name} waits',
  charges: '{name} charges with {power}, {level} afterwards',
  discharges: '{name} discharges with {power}, {level} afterwards',
  holds: '{name} waits at {level}',
  charge_cheap: 'Electricity is cheap',
  charge_sun: 'Stores the sun',
  charge_goal: 'Ready for the departure',
  charge_peak: 'Prepares for a peak',
  charge_stored: 'Uses stored energy',
  discharge_dear: 'Electricity is expensive',
  discharge_peak: 'Keeps the peak of the month low',
  discharge_sell: 'Selling pays',
  kept: 'Kept for a better time',
  wait: 'Waits for a better time',
  none: 'Nothing to gain',
  dated: '{time} on {day}',
});

const whyTexts = {
  charge_cheap: 'charge_cheap',
  charge_sun: 'charge_sun',
  charge_goal: 'charge_goal',
  charge_peak: 'charge_peak',
  charge_stored: 'charge_stored',
  discharge_dear: 'discharge_dear',
  discharge_peak: 'discharge_peak',
  discharge_sell: 'discharge_sell',
  hold: 'kept',
  wait: 'wait',
  none: 'none',
} as const satisfies Record<SitePlanStep['reason']['code'], Parameters<typeof t>[0]>;

/** Names the kind of a reason; its numbers are in the text of the reason. */
export const whyWords = (code: SitePlanStep['reason']['code']): string => t(whyTexts[code]);

export const changeWords = ({ direction, storage: { name }, power_w }: PlanChange): string =>
  t(direction, { name, power: power(power_w) });

const stepKeys = { charge: 'charges', discharge: 'discharges', hold: 'holds' } as const satisfies Record<
  Direction,
  Parameters<typeof t>[0]
>;

/** Says what a storage does in a step. */
export function stepWords(step: SitePlanStep, storage: PlanStorage): string {
  const watts = powerOf(step, storage);
  const level = percent((step.storages[storage.der_id]?.wh ?? 0) / storage.capacity_wh);
  return t(stepKeys[directionOf(watts)], { name: storage.name, power: power(watts), level });
}

export type Seen = {
  currency: string;
  timeZone: string | undefined;
  /** times of this day have no date */
  fromMs?: number;
};

/** Says a sentence of a plan in the language of the page. */
export const sayingWords = (saying: PlanSaying, { currency, timeZone, fromMs }: Seen): string =>
  fillSentence(translated(planSentences[saying.key]), saying, (name, value) => {
    if (typeof value === 'number') {
      if (name.endsWith('_kw')) return `${number(value, 1)} kW`;
      return name.endsWith('_kwh') ? `${number(value, 1)} kWh` : money(value, currency);
    }
    if (name !== 'at') return value;
    const ms = Date.parse(value);
    const time = timeOfDay(ms, timeZone);
    const isSameDay = fromMs !== undefined && dateAt(timeZone, ms) === dateAt(timeZone, fromMs);
    return isSameDay ? time : t('dated', { time, day: shortDay(ms, timeZone) });
  });

/** Says what a plan saves, and where from. */
export const clauseWords = (clauses: readonly PlanSaying[], seen: Seen): string =>
  joinClauses(clauses.map((clause) => sayingWords(clause, seen)));
