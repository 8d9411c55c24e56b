import { dayMs } from '#contract/time.ts';
import { daysBefore, endOf, type History, isWeekend, meanOver, type Span, weekdayAt } from './history.ts';

type ExpectedPrice = { price: number; isAssumed: boolean };

export type PriceForecast = (span: Span) => ExpectedPrice;

const learnedDays = 14;
const dailyDecay = 0.9;
const otherKindOfDay = 0.4;
const levelKept = 0.7; // share of the deviation of a day's level that the next day is expected to have

/**
 * Returns prices: those that are known, and for later ones the shape of recent days at the same local time around a level that
 * returns to that of the last weeks.
 */
export function forecastPrices(known: History, timezone: string): PriceForecast {
  const end = endOf(known);
  const dayMean = (last: number): number => meanOver(known, { start: last - dayMs, end: last });
  const latest = dayMean(end);
  let [sum, weights] = [0, 0];
  for (let days = 0; days < learnedDays; days++) {
    const mean = dayMean(end - days * dayMs);
    if (Number.isNaN(mean)) continue;
    sum += mean * dailyDecay ** days;
    weights += dailyDecay ** days;
  }
  const usualLevel = weights > 0 ? sum / weights : 0;
  const latestLevel = Number.isNaN(latest) ? usualLevel : latest;

  function shape(span: Span): number {
    let [total, weight] = [0, 0];
    const weekend = isWeekend(weekdayAt(timezone, span.start));
    const first = Math.max(1, Math.ceil((span.end - end) / dayMs));
    for (let days = first; days < first + learnedDays; days++) {
      const before = daysBefore(span, days, timezone);
      const middle = (before.start + before.end) / 2;
      const around = meanOver(known, { start: middle - dayMs / 2, end: Math.min(end, middle + dayMs / 2) });
      const difference = meanOver(known, before) - around;
      if (Number.isNaN(difference)) continue;
      const kind = isWeekend(weekdayAt(timezone, before.start)) === weekend ? 1 : otherKindOfDay;
      total += difference * kind * dailyDecay ** (days - first);
      weight += kind * dailyDecay ** (days - first);
    }
    return weight > 0 ? total / weight : 0;
  }

  return (span) => {
    const price = span.end <= end ? meanOver(known, span) : Number.NaN;
    if (!Number.isNaN(price)) return { price, isAssumed: false };
    const daysAhead = Math.max(0, span.start - end) / dayMs;
    const level = usualLevel + (latestLevel - usualLevel) * levelKept ** (daysAhead + 0.5);
    return { price: level + shape(span), isAssumed: true };
  };
}
