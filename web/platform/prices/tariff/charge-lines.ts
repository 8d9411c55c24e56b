import type { Component, Interval } from '#contract/price/eltariff.ts';

/** Hours of the clock on some days. Midnight to midnight is the whole day. */
export type When = { hours: { from: string; to: string }[]; on: string[]; except: string[]; reference: string };

/** A price with all the seasons and hours in which it holds. */
export type ChargeLine = { component: Component; seasons: Interval[]; when: When[] };

/** The components of a group as lines: those that only differ in their season are one. */
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

/** The active periods, those of the same days together. None means always. */
function whenOf({ recurringPeriods = [] }: Component): When[] {
  const found = new Map<string, When>();
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

export const isWholeDay = ({ hours }: When): boolean =>
  hours.some(({ from, to }) => from === '00:00' && to === '00:00');

export const isEveryDay = ({ on, except }: When): boolean =>
  except.length === 0 &&
  (on.length === 0 || on.includes('all') || (on.includes('weekdays') && on.includes('weekends')));

/** How a peak is counted: plainly, for less at some hours, or by a rule that is best read as it is. */
export type PeakRule = { kind: 'plain' } | { kind: 'less'; reference: string; divisor: number } | { kind: 'rule' };

export function peakRuleOf(peakFunction: string): PeakRule {
  const text = peakFunction.replaceAll(' ', '');
  if (/^peak\(\w+\)$/.test(text)) return { kind: 'plain' };
  const less = /^max\(peak\(\w+\),peak\((\w+)\)\/(\d+(?:\.\d+)?)\)$/.exec(text);
  return less ? { kind: 'less', reference: less[1]!, divisor: Number(less[2]) } : { kind: 'rule' };
}
