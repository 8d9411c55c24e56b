import type { getTariffRules } from '#contract/price/legacy.ts';
import { peakShareOf } from '#contract/price/tariff-rules.ts';
import type { ReplyOf } from '#contract/route.ts';
import type { CalendarPattern, Component, Interval, RecurringPeriod } from './eltariff.ts';

/** A power price and when it applies. Seasons and times of day wrap around if they end before they begin. */
type PricingRule = ReplyOf<typeof getTariffRules>['pricing_rules'][string];

type Slot = RecurringPeriod['activePeriods'][number];
type Time = PricingRule['time_range'];

/** Returns the rules of power components by name; components that differ only in their months become one rule. */
export function pricingRules(
  components: readonly Component[],
  patterns: readonly CalendarPattern[],
  validPeriod: Interval,
): Record<string, PricingRule> {
  const alike = Map.groupBy(components, ({ name, price, recurringPeriods, peakIdentificationSettings: peak }) =>
    JSON.stringify([name, price, recurringPeriods, peak]),
  );
  const rules: Record<string, PricingRule> = {};
  for (const same of alike.values()) {
    const [first] = same;
    if (!first) continue;
    for (const season of seasonsOf(same, validPeriod)) {
      for (const [name, rule] of rulesOfComponent(first, season, patterns)) rules[uniqueName(name, rules)] = rule;
    }
  }
  return rules;
}

function rulesOfComponent(
  { name, reference, price, recurringPeriods, peakIdentificationSettings: peak }: Component,
  season: PricingRule['season'],
  patterns: readonly CalendarPattern[],
): [name: string, rule: PricingRule][] {
  const key = reference.replace(/[_#]\d+$/, '');
  const periods = recurringPeriods?.length
    ? recurringPeriods.map((period) => ({
        label: recurringPeriods.length > 1 ? `${key}_${period.reference}` : key,
        multiplier: peakShareOf(period.reference, peak?.peakFunction ?? ''),
        times: timesOf(period.activePeriods, patterns),
      }))
    : [{ label: key, multiplier: 1, times: [{ start: '00:00', end: '24:00', days: 'all_days' }] }];
  return periods.flatMap(({ label, multiplier, times }) =>
    times.map(({ start, end, days }): [string, PricingRule] => [
      label,
      {
        description: [name, days.replaceAll('_', ' '), `${start}-${end}`].join(', '),
        season,
        time_range: { start, end },
        days,
        price_per_kw: rounded((price?.priceIncVat ?? 0) * multiplier),
        ...(multiplier !== 1 && { multiplier }),
      },
    ]),
  );
}

const rounded = (price: number): number => Math.round(price * 1e6) / 1e6;

/** Returns the months of the components as ranges that may wrap around the new year. The last prices cover unlisted months. */
function seasonsOf(components: readonly Component[], validPeriod: Interval): PricingRule['season'][] {
  const covered = monthsOf(validPeriod);
  const isLast = components.some((component) => component.validPeriod.toExcluding >= validPeriod.toExcluding);
  const uncovered = Array.from({ length: 12 }, (_, index) => index + 1).filter((month) => !covered.includes(month));
  const months = new Set([...components.flatMap((each) => monthsOf(each.validPeriod)), ...(isLast ? uncovered : [])]);
  if (months.size === 12) return [{ start_month: 1, end_month: 12 }];
  const before = (month: number): number => (month === 1 ? 12 : month - 1);
  const after = (month: number): number => (month === 12 ? 1 : month + 1);
  const starts = [...months].filter((month) => !months.has(before(month))).sort((one, other) => one - other);
  return starts.map((start) => {
    let end = start;
    while (months.has(after(end))) end = after(end);
    return { start_month: start, end_month: end };
  });
}

function monthsOf({ fromIncluding, toExcluding }: Interval): number[] {
  const count = (date: string): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
  const first = count(fromIncluding);
  const last = count(toExcluding) - (toExcluding.endsWith('-01') ? 1 : 0);
  return Array.from({ length: Math.min(12, last - first + 1) }, (_, index) => ((first + index) % 12) + 1);
}

function timesOf(slots: readonly Slot[], patterns: readonly CalendarPattern[]): (Time & { days: string })[] {
  const times = slots.map(({ fromIncluding, toExcluding, calendarPatternReferences: { include, exclude } }) => ({
    start: fromIncluding.slice(0, 5),
    end: toExcluding === '00:00:00' ? '24:00' : toExcluding.slice(0, 5),
    days: dayKind(include, exclude, patterns),
  }));
  const early = times.find(({ start, end }) => start === '00:00' && end !== '24:00');
  const late = times.find(({ start, end, days }) => end === '24:00' && start !== '00:00' && days === early?.days);
  if (!early || !late) return times;
  return [...times.filter((time) => time !== early && time !== late), { ...late, end: early.end }]; // one night
}

/** Names the days of a slot. Patterns with dates are holidays. */
function dayKind(include: readonly string[], exclude: readonly string[], patterns: readonly CalendarPattern[]): string {
  const named = (references: readonly string[]) => patterns.filter(({ reference }) => references.includes(reference));
  const hasDates = (found: readonly CalendarPattern[]): boolean => found.some(({ dates }) => dates && dates.length > 0);
  const [included, excluded] = [named(include), named(exclude)];
  const left = excluded.flatMap(({ days }) => days ?? []);
  const all = include.length === 0 ? [1, 2, 3, 4, 5, 6, 7] : included.flatMap(({ days }) => days ?? []);
  const days = [...new Set(all)].filter((day) => !left.includes(day)).sort((one, other) => one - other);
  const base = { '1234567': 'all_days', '12345': 'weekdays', '67': 'weekends' }[days.join('')];
  if (hasDates(excluded))
    return base === 'all_days' ? 'non_holidays' : `${base ?? `days_${days.join('')}`}_non_holidays`;
  if (!hasDates(included)) return base ?? `days_${days.join('')}`;
  if (days.length === 0) return left.length > 0 ? 'holidays_on_weekdays' : 'holidays';
  return `${base ?? `days_${days.join('')}`}_and_holidays`;
}

function uniqueName(name: string, rules: Record<string, PricingRule>): string {
  let count = 1;
  while (rules[count === 1 ? name : `${name}_${count}`]) count++;
  return count === 1 ? name : `${name}_${count}`;
}
