import { isReactive } from '#contract/price/tariff-rules.ts';
import type { Peak } from '#contract/price/total.ts';
import { formatTime, hourMs } from '#contract/time.ts';
import type { Component, Interval, Tariff } from '../tariffs/eltariff.ts';
import type { TariffBook } from '../tariffs/tariff-book.ts';
import { parsePeriod } from './billing-period.ts';
import { type GridTariff, keyOf } from './grid-tariff.ts';
import type { Load } from './load-curve.ts';
import { roundQuantity } from './money.ts';
import { type PeakValue, parsePeakFunction } from './peak-function.ts';
import { boundariesOf, createSegmentLookup, dateOf, localMinuteAt } from './segments.ts';

/** The power charged for a component in one billing period, its price before VAT, and the peaks it is the mean of. */
export type PowerUse = {
  tariff: Tariff;
  component: Component;
  price: number;
  period: Interval;
  kw: number;
  peaks: Peak[];
};

/** Lengths of the windows of peaks that are supported, ms. */
export const peakWindows: Readonly<Record<string, number>> = {
  PT15M: hourMs / 4,
  PT30M: hourMs / 2,
  PT60M: hourMs,
  PT1H: hourMs,
};

/** The counted power above which a component costs more, and the cost of each kilowatt before VAT. */
export type PeakThreshold = { aboveKw: number; costPerKw: number };

type PowerUses = {
  uses: PowerUse[];
  /** of the components whose billing period continues after the last load */
  thresholds: PeakThreshold[];
  notes: string[];
};

/** Finds the peaks of a load curve by the rules of a tariff; notes name the components that are not supported. */
export function powerUses(loads: readonly Load[], tariff: GridTariff, book: TariffBook): PowerUses {
  const notes = new Set<string>();
  const searches = new Map<string, PeakSearch>();
  for (const list of tariff.all) {
    for (const component of list.powerPrice.components) {
      const search = createSearch(list, component);
      if (typeof search === 'object') searches.set(keyOf(list, component), search);
      else notes.add(`"${component.name}" of "${list.name}" is not included: ${search}.`);
    }
  }
  const active = createSegmentLookup(
    boundariesOf(tariff.all.flatMap(({ powerPrice }) => powerPrice.components)),
    (at) => {
      const current = tariff.on(at.date)?.tariff;
      if (!current) return [];
      return book.activeOrAssumed(splitByPeriod(current), 'powerPrice', at).flatMap((component) => {
        const search = searches.get(keyOf(current, component));
        return search ? [{ search, reference: component.reference }] : [];
      });
    },
  );
  for (const windowMs of new Set([...searches.values()].map((search) => search.windowMs))) {
    for (const { start, kw } of meanPowers(loads, windowMs)) {
      const wall = localMinuteAt(tariff.given.timeZone, start);
      for (const { search, reference } of active(wall)) {
        if (search.windowMs === windowMs) search.add(wall.day, reference, { kw, counted: kw, start });
      }
    }
  }
  const next = localMinuteAt(tariff.given.timeZone, loads.at(-1)?.end ?? 0);
  const found = [...searches.values()];
  return {
    uses: found.flatMap((search) => search.uses()),
    thresholds: found.flatMap((search) => search.thresholdOn(next.day) ?? []),
    notes: [...notes],
  };
}

/** Splits each component into one per recurring period, with the reference of the period. */
export function splitByPeriod(tariff: Tariff): Tariff {
  const components = tariff.powerPrice.components.flatMap((component) =>
    component.recurringPeriods?.length
      ? component.recurringPeriods.map((period) => ({
          ...component,
          reference: period.reference,
          recurringPeriods: [period],
        }))
      : [{ ...component, reference: anytime }],
  );
  return { ...tariff, powerPrice: { ...tariff.powerPrice, components } };
}

export const anytime = '*';
const anyPeak: PeakValue = { kw: 1, counted: 1, start: 0 };

/** Yields the mean power in windows of this length, or of the intervals if they are longer. */
export function* meanPowers(loads: readonly Load[], windowMs: number): Generator<{ start: number; kw: number }> {
  let window: { start: number; end: number; kwh: number } | undefined;
  const meanOf = ({ start, end, kwh }: { start: number; end: number; kwh: number }) => ({
    start,
    kw: kwh / ((end - start) / hourMs),
  });
  for (const { start, end, imported } of loads) {
    if (window && start < window.end) {
      window.kwh += imported;
      continue;
    }
    if (window) yield meanOf(window);
    const first = Math.floor(start / windowMs) * windowMs;
    window = { start: first, end: Math.max(first + windowMs, end), kwh: imported };
  }
  if (window) yield meanOf(window);
}

type PeakSearch = {
  windowMs: number;
  add(day: number, reference: string, power: PeakValue): void;
  uses(): PowerUse[];
  /** Returns what a higher peak on a day costs; undefined when no load is in the billing period of the day. */
  thresholdOn(day: number): PeakThreshold | undefined;
};

/** Collects the highest power of each reference, by billing and identification period; the reason when that is not supported. */
function createSearch(tariff: Tariff, component: Component): PeakSearch | string {
  const { price, recurringPeriods, peakIdentificationSettings: settings } = component;
  if (!settings || !price) return 'the tariff has no price for it';
  if (isReactive(component)) return 'it charges for reactive power';
  const { peakFunction, peakDuration, peakIdentificationPeriod, numberOfPeaksForAverageCalculation: count } = settings;
  const evaluate = parsePeakFunction(peakFunction);
  if (!evaluate) return `the formula ${peakFunction} is not supported`;
  const names = (recurringPeriods ?? []).map((period) => period.reference);
  if (!evaluate((reference) => (names.length === 0 || names.includes(reference) ? anyPeak : undefined)))
    return `the formula ${peakFunction} has no peak of its periods (${names.join(', ') || 'any time'})`;
  const windowMs = peakWindows[peakDuration];
  if (!windowMs) return `peaks of ${peakDuration} are not supported`;
  const billingPeriodOf = parsePeriod(tariff.billingPeriod);
  if (!billingPeriodOf) return `the billing period ${tariff.billingPeriod} is not supported`;
  const identificationPeriodOf = parsePeriod(peakIdentificationPeriod);

  type Found = { period: Interval; highest: Map<string, Map<string, PeakValue>> };
  const billed = new Map<string, Found>();
  const days = new Map<number, { found: Found; identification: string | undefined }>();

  const addDay = (day: number) => {
    const date = dateOf(day);
    const period = billingPeriodOf(date);
    const found = billed.get(period.fromIncluding) ?? { period, highest: new Map() };
    billed.set(period.fromIncluding, found);
    const added = { found, identification: identificationPeriodOf?.(date).fromIncluding };
    days.set(day, added);
    return added;
  };

  const countedPeaks = (highest: Found['highest']) =>
    [...highest]
      .flatMap(([identification, byReference]) => {
        const peak = evaluate((reference) => byReference.get(reference) ?? byReference.get(anytime));
        return peak ? [{ identification, peak }] : [];
      })
      .sort((a, b) => b.peak.counted - a.peak.counted);

  return {
    windowMs,
    add(day, reference, power) {
      const { found, identification = String(power.start) } = days.get(day) ?? addDay(day); // shorter than a day: each window counts separately
      const highest = found.highest.get(identification) ?? new Map<string, PeakValue>();
      found.highest.set(identification, highest);
      const known = highest.get(reference);
      if (!known || power.kw > known.kw) highest.set(reference, power);
    },
    uses: () =>
      [...billed.values()].flatMap(({ period, highest }) => {
        const peaks = countedPeaks(highest)
          .slice(0, count)
          .map(({ peak }) => peak);
        if (peaks.length === 0) return [];
        const kw = roundQuantity(peaks.reduce((sum, { counted }) => sum + counted, 0) / peaks.length);
        return [{ tariff, component, price: price.priceExVat, period, kw, peaks: peaks.map(toWirePeak) }];
      }),
    thresholdOn(day) {
      const date = dateOf(day);
      const found = billed.get(billingPeriodOf(date).fromIncluding);
      if (!found) return undefined;
      const own = identificationPeriodOf?.(date).fromIncluding; // a new peak competes with that of the same day
      const peaks = countedPeaks(found.highest);
      const ofDay = peaks.find(({ identification }) => identification === own)?.peak.counted ?? 0;
      const lowest = peaks.filter(({ identification }) => identification !== own)[count - 1]?.peak.counted ?? 0;
      return { aboveKw: Math.max(ofDay, lowest), costPerKw: price.priceExVat / count };
    },
  };
}

function toWirePeak({ kw, counted, start }: PeakValue & { start: number }): Peak {
  const isLess = Math.abs(counted - kw) > 1e-9;
  return { start: formatTime(start), kw: roundQuantity(kw), ...(isLess && { counted_kw: roundQuantity(counted) }) };
}
