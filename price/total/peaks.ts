import { isReactive } from '#contract/price/tariff-rules.ts';
import type { Peak } from '#contract/price/total.ts';
import { formatTime, hourMs } from '#contract/time.ts';
import type { Component, Interval, Tariff } from '../tariffs/eltariff.ts';
import type { TariffBook } from '../tariffs/tariff-book.ts';
import { periodOf } from './billing-period.ts';
import { type GridTariff, keyOf } from './grid-tariff.ts';
import type { Load } from './load-curve.ts';
import { roundQuantity } from './money.ts';
import { type PeakValue, parsePeakFunction } from './peak-function.ts';
import { boundariesOf, createSegmentLookup, localMinuteAt } from './segments.ts';

/** The power charged for a component in one billing period, and the peaks it is the mean of. */
export type PowerUse = { tariff: Tariff; component: Component; period: Interval; kw: number; peaks: Peak[] };

const windows: Readonly<Record<string, number>> = { PT15M: hourMs / 4, PT30M: hourMs / 2, PT60M: hourMs, PT1H: hourMs };

/** Finds the peaks of a load curve by the rules of a tariff; notes name the components that are not supported. */
export function powerUses(
  loads: readonly Load[],
  tariff: GridTariff,
  book: TariffBook,
): { uses: PowerUse[]; notes: string[] } {
  const rules = tariff.all.flatMap(peakRules);
  const notes = [...new Set(rules.flatMap(({ note }) => note ?? []))];
  const searches = new Map(
    rules.filter(({ note }) => !note).map((rule) => [keyOf(rule.tariff, rule.component), createSearch(rule)]),
  );
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
        if (search.windowMs === windowMs) search.add(wall.date, reference, { kw, counted: kw, start });
      }
    }
  }
  return { uses: [...searches.values()].flatMap((search) => search.uses()), notes };
}

type PeakRule = { tariff: Tariff; component: Component; note?: string };

function peakRules(tariff: Tariff): PeakRule[] {
  return tariff.powerPrice.components.map((component) => {
    const reason = unsupportedReason(component, tariff);
    return reason
      ? { tariff, component, note: `"${component.name}" of "${tariff.name}" is not included: ${reason}.` }
      : { tariff, component };
  });
}

function unsupportedReason(component: Component, tariff: Tariff): string | undefined {
  const { price, recurringPeriods, peakIdentificationSettings: settings } = component;
  if (!settings || !price) return 'the tariff has no price for it';
  if (isReactive(component)) return 'it charges for reactive power';
  const formula = parsePeakFunction(settings.peakFunction);
  if (!formula) return `the formula ${settings.peakFunction} is not supported`;
  const names = (recurringPeriods ?? []).map((period) => period.reference);
  const isNamed = (reference: string): boolean => names.length === 0 || names.includes(reference);
  if (!formula.evaluate((reference) => (isNamed(reference) ? anyPeak : undefined)))
    return `the formula ${settings.peakFunction} has no peak of its periods (${names.join(', ') || 'any time'})`;
  if (!windows[settings.peakDuration]) return `peaks of ${settings.peakDuration} are not supported`;
  if (!periodOf(tariff.billingPeriod, tariff.validPeriod.fromIncluding))
    return `the billing period ${tariff.billingPeriod} is not supported`;
  return undefined;
}

/** Splits each component into one per recurring period, with the reference of the period. */
function splitByPeriod(tariff: Tariff): Tariff {
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

const anytime = '*';
const anyPeak: PeakValue = { kw: 1, counted: 1, start: 0 };

/** Yields the mean power in windows of this length, or of the intervals if they are longer. */
function* meanPowers(loads: readonly Load[], windowMs: number): Generator<{ start: number; kw: number }> {
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
  add(date: string, reference: string, power: PeakValue): void;
  uses(): PowerUse[];
};

/** Collects the highest power of each reference, by billing period and identification period. */
function createSearch({ tariff, component }: PeakRule): PeakSearch {
  const { peakFunction, peakDuration, peakIdentificationPeriod, numberOfPeaksForAverageCalculation } =
    component.peakIdentificationSettings!;
  const formula = parsePeakFunction(peakFunction)!;
  type Found = Map<string, Map<string, PeakValue>>;
  const billed = new Map<string, { period: Interval; found: Found }>();
  const periods = new Map<string, { billing: Interval; identification: string | undefined }>();

  function periodsAt(date: string) {
    let known = periods.get(date);
    if (!known) {
      const billing = periodOf(tariff.billingPeriod, date)!;
      known = { billing, identification: periodOf(peakIdentificationPeriod, date)?.fromIncluding };
      periods.set(date, known);
    }
    return known;
  }

  function usesOf({ period, found }: { period: Interval; found: Found }): PowerUse[] {
    const peaks = [...found.values()]
      .map((byReference) => formula.evaluate((reference) => byReference.get(reference) ?? byReference.get(anytime)))
      .filter((peak) => peak !== undefined)
      .sort((a, b) => b.counted - a.counted)
      .slice(0, numberOfPeaksForAverageCalculation);
    if (peaks.length === 0) return [];
    const kw = peaks.reduce((sum, { counted }) => sum + counted, 0) / peaks.length;
    return [{ tariff, component, period, kw: roundQuantity(kw), peaks: peaks.map(toWirePeak) }];
  }

  return {
    windowMs: windows[peakDuration]!,
    add(date, reference, power) {
      const { billing, identification = String(power.start) } = periodsAt(date); // shorter than a day: each window counts separately
      let entry = billed.get(billing.fromIncluding);
      if (!entry) {
        entry = { period: billing, found: new Map() };
        billed.set(billing.fromIncluding, entry);
      }
      let highest = entry.found.get(identification);
      if (!highest) {
        highest = new Map();
        entry.found.set(identification, highest);
      }
      const known = highest.get(reference);
      if (!known || power.kw > known.kw) highest.set(reference, power);
    },
    uses: () => [...billed.values()].flatMap(usesOf),
  };
}

function toWirePeak({ kw, counted, start }: PeakValue): Peak {
  const isLess = Math.abs(counted - kw) > 1e-9;
  return {
    start: formatTime(start!),
    kw: roundQuantity(kw),
    ...(isLess && { counted_kw: roundQuantity(counted) }),
  };
}
