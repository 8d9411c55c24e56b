import type { Component } from '#contract/price/eltariff.ts';
import type { Interval } from '#contract/price/interval.ts';

/** Hours on certain days. From 00:00 to 00:00 is the whole day. */
export type ActiveHours = { hours: { from: string; to: string }[]; on: string[]; except: string[]; reference: string };

/** A price with all seasons and hours in which it applies. */
export type ChargeLine = { component: Component; seasons: Interval[]; when: ActiveHours[] };

/** Merges components that differ only in their season. */
export function chargeLines(components: readonly Component[]): ChargeLine[] {
  const lines = new Map<string, ChargeLine>();
  for (const component of components) {
    const when = whenOf(component);
    const { name, price, pricedPeriod, spotPriceSettings, peakIdentificationSettings } = component;
    const key = JSON.stringify([name, price, pricedPeriod, spotPriceSettings, peakIdentificationSettings, when]);
    const line = lines.get(key) ?? { component, seasons: [], when };
    line.seasons.push(component.validPeriod);
    lines.set(key, line);
  }
  return [...lines.values()];
}

/** Groups active periods by their days; an empty list means always. */
function whenOf({ recurringPeriods = [] }: Component): ActiveHours[] {
  const found = new Map<string, ActiveHours>();
  for (const { reference, activePeriods } of recurringPeriods) {
    for (const { fromIncluding, toExcluding, calendarPatternReferences: days } of activePeriods) {
      const key = JSON.stringify([reference, days.include, days.exclude]);
      const when = found.get(key) ?? { hours: [], on: days.include, except: days.exclude, reference };
      when.hours.push({ from: fromIncluding.slice(0, 5), to: toExcluding.slice(0, 5) });
      found.set(key, when);
    }
  }
  return [...found.values()];
}

export const isWholeDay = ({ hours }: ActiveHours): boolean =>
  hours.some(({ from, to }) => from === '00:00' && to === '00:00');

export const isEveryDay = ({ on, except }: ActiveHours): boolean =>
  except.length === 0 &&
  (on.length === 0 || on.includes('all') || (on.includes('weekdays') && on.includes('weekends')));

/** How a peak counts: fully, divided at some hours, or by a rule that is shown verbatim. */
export type PeakRule = { kind: 'plain' } | { kind: 'less'; reference: string; divisor: number } | { kind: 'rule' };

export function peakRuleOf(peakFunction: string): PeakRule {
  const text = peakFunction.replaceAll(' ', '');
  if (/^peak\(\w+\)$/.test(text)) return { kind: 'plain' };
  const [, reference, divisor] = /^max\(peak\(\w+\),peak\((\w+)\)\/(\d+(?:\.\d+)?)\)$/.exec(text) ?? [];
  return reference ? { kind: 'less', reference, divisor: Number(divisor) } : { kind: 'rule' };
}
