import type { BillLine, Peak } from '#contract/price/total.ts';
import { Problem } from '#contract/problem.ts';
import { formatTime, hourMs } from '#contract/time.ts';
import type { CapacitySteps, Interval, Tariff } from '../tariffs/eltariff.ts';
import { capacityDays } from '../tariffs/price-list.ts';
import { lineOf } from './bill-line.ts';
import { datesOf, daysOf, intersection, periodsOf } from './billing-period.ts';
import type { GridTariff } from './grid-tariff.ts';
import type { Load } from './load-curve.ts';
import { roundQuantity } from './money.ts';
import { meanPowers } from './peaks.ts';
import { dateOf, localMinuteAt } from './segments.ts';

const monthsPer: Readonly<Record<string, number>> = { P1M: 1, P1Y: 12 };

/** Charges the step of each month that its peaks reach; throws a Problem for a method that is not supported. */
export function capacityLines(loads: readonly Load[], tariff: GridTariff, billed: Interval): BillLine[] {
  if (!tariff.all.some(({ capacitySteps }) => capacitySteps)) return [];
  const peaks = dailyPeaks(loads, tariff.given.timeZone);
  return periodsOf('P1M', billed).flatMap((month) => {
    const days = Map.groupBy(datesOf(intersection(month, billed)), (date) => tariff.on(date)?.tariff);
    return [...days].flatMap(([list, dates]) => {
      const { capacitySteps } = list ?? {};
      if (!list || !capacitySteps) return [];
      const count = countOf(list, capacitySteps);
      const highest = [...peaks]
        .filter(([date]) => month.fromIncluding <= date && date < month.toExcluding)
        .map(([, peak]) => peak)
        .sort((one, other) => other.kw - one.kw)
        .slice(0, count);
      if (highest.length === 0) return [];
      const kw = roundQuantity(highest.reduce((sum, peak) => sum + peak.kw, 0) / highest.length);
      return [stepLine(capacitySteps, kw, { month, share: dates.length / daysOf(month), highest })];
    });
  });
}

function countOf({ name, companyName }: Tariff, { method }: CapacitySteps): number {
  const count = capacityDays.get(method);
  if (count !== undefined) return count;
  throw new Problem(
    'unprocessable',
    `The capacity charge of "${name}" of ${companyName} is found by the method ${method}, which is not supported.`,
  );
}

/** Finds the highest hour of each local day. */
function dailyPeaks(loads: readonly Load[], timeZone: string): Map<string, Peak> {
  const peaks = new Map<string, Peak>();
  for (const { start, kw } of meanPowers(loads, hourMs)) {
    const date = dateOf(localMinuteAt(timeZone, start).day);
    const known = peaks.get(date);
    if (!known || kw > known.kw) peaks.set(date, { start: formatTime(start), kw: roundQuantity(kw) });
  }
  return peaks;
}

type Month = { month: Interval; share: number; highest: Peak[] };

function stepLine(
  { steps, thresholdInclusive }: CapacitySteps,
  kw: number,
  { month, share, highest }: Month,
): BillLine {
  const found = steps.findLastIndex(({ fromKw }) => (thresholdInclusive ? fromKw <= kw : fromKw < kw));
  const step = steps[Math.max(0, found)]!;
  const next = steps[Math.max(0, found) + 1];
  const range = next ? `${step.fromKw}–${next.fromKw} kW` : `fra ${step.fromKw} kW`;
  const price = step.price.priceExVat / (monthsPer[step.pricedPeriod] ?? 1);
  const what = { kind: 'power', name: `Kapasitetsledd ${range}`, quantity: 1, unit: 'month' } as const;
  return {
    ...lineOf(what, price, price * share),
    from: month.fromIncluding,
    to: month.toExcluding,
    ...(share < 1 && { share: roundQuantity(share) }),
    peaks: highest,
  };
}
