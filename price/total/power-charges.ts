import type { PowerCharge } from '#contract/price/marginal.ts';
import { isReactive } from '#contract/price/tariff-rules.ts';
import { formatTime, hourMs } from '#contract/time.ts';
import type { Component, Tariff } from '../tariffs/eltariff.ts';
import { capacityDays } from '../tariffs/price-list.ts';
import type { ContractSpan } from './contract-spans.ts';
import { keyOf } from './grid-tariff.ts';
import { type PeakFunction, parsePeakFunction } from './peak-function.ts';
import { anytime, peakWindows, splitByPeriod } from './peaks.ts';
import { boundariesOf, createSegmentLookup, localMinuteAt } from './segments.ts';

const quarterMs = hourMs / 4;

type Found = { charges: PowerCharge[]; notes: string[] };

/** Describes the power charges of a contract, and the times that count. Notes name the components that are left out. */
export function powerCharges({ start, end, terms }: ContractSpan): Found {
  const { tariff, book, vat } = terms;
  if (!tariff) return { charges: [], notes: [] };
  const factor = 1 + (vat?.percent ?? 0) / 100;
  const notes = new Set<string>();
  const charges = new Map<string, { charge: PowerCharge; evaluate?: PeakFunction }>();
  for (const list of tariff.all) {
    for (const component of list.powerPrice.components) {
      const described = describe(list, component, factor);
      if (typeof described === 'object') charges.set(keyOf(list, component), described);
      else notes.add(`Plans leave out "${component.name}" of "${list.name}": ${described}.`);
    }
    const steps = capacityCharge(list, factor);
    if (steps) charges.set(capacityKey(list), { charge: steps });
  }
  const active = createSegmentLookup(
    boundariesOf(tariff.all.flatMap(({ powerPrice }) => powerPrice.components)),
    (at): { charge: PowerCharge; weight: number }[] => {
      const current = tariff.on(at.date)?.tariff;
      if (!current) return [];
      const components = book.activeOrAssumed(splitByPeriod(current), 'powerPrice', at).flatMap((component) => {
        const { charge, evaluate } = charges.get(keyOf(current, component)) ?? {};
        return charge && evaluate ? [{ charge, weight: weightOf(component, evaluate) }] : [];
      });
      const { charge } = charges.get(capacityKey(current)) ?? {};
      return charge ? [...components, { charge, weight: 1 }] : components;
    },
  );
  for (let at = start; at < end; at += quarterMs) {
    for (const { charge, weight } of active(localMinuteAt(tariff.given.timeZone, at))) {
      if (weight <= 0) continue;
      const last = charge.counted.at(-1);
      if (last?.end === formatTime(at) && last.weight === weight) last.end = formatTime(at + quarterMs);
      else charge.counted.push({ start: formatTime(at), end: formatTime(at + quarterMs), weight });
    }
  }
  const counting = [...charges.values()].map(({ charge }) => charge).filter(({ counted }) => counted.length > 0);
  return { charges: counting, notes: [...notes] };
}

const capacityKey = ({ id }: Tariff): string => `${id} capacity`;

/** Returns for how much a peak of a component counts, by its formula. */
function weightOf({ reference }: Component, evaluate: PeakFunction): number {
  const peakOf = (name: string) => {
    const kw = name === reference || reference === anytime ? 1 : 0;
    return { kw, counted: kw, start: 0 };
  };
  return evaluate(peakOf)?.counted ?? 0;
}

/** Describes a component; the reason if plans cannot consider it. */
function describe(
  tariff: Tariff,
  component: Component,
  factor: number,
): { charge: PowerCharge; evaluate: PeakFunction } | string {
  const { name, price, peakIdentificationSettings: settings } = component;
  if (!settings || !price) return 'the tariff has no price for it';
  if (isReactive(component)) return 'it charges for reactive power';
  const { peakFunction, peakDuration, peakIdentificationPeriod, numberOfPeaksForAverageCalculation: count } = settings;
  const evaluate = parsePeakFunction(peakFunction);
  if (!evaluate) return `the formula ${peakFunction} is not supported`;
  const windowMs = peakWindows[peakDuration];
  if (!windowMs) return `peaks of ${peakDuration} are not supported`;
  if (tariff.billingPeriod !== 'P1M') return `its billing period is ${tariff.billingPeriod}`;
  const isMonthly = peakIdentificationPeriod === 'P1M'; // one peak in a month is its highest
  if (!isMonthly && peakIdentificationPeriod !== 'P1D' && !peakIdentificationPeriod.startsWith('PT'))
    return `one peak in ${peakIdentificationPeriod} counts`;
  return {
    evaluate,
    charge: {
      name,
      window_s: windowMs / 1000,
      count: isMonthly ? 1 : count,
      one_per_day: isMonthly || peakIdentificationPeriod === 'P1D',
      counted: [],
      price_per_kw: price.priceExVat * factor,
    },
  };
}

const aboveAll = 1e6; // kW
const justBelow = 0.001; // kW, the precision of a billed peak

/** Describes a price by steps of capacity; undefined without one that is supported. */
function capacityCharge({ capacitySteps }: Tariff, factor: number): PowerCharge | undefined {
  const count = capacitySteps && capacityDays.get(capacitySteps.method);
  if (!count) return undefined;
  const { steps, thresholdInclusive } = capacitySteps;
  return {
    name: 'Kapasitetsledd',
    window_s: hourMs / 1000,
    count,
    one_per_day: true,
    counted: [],
    tiers: steps.map(({ price, pricedPeriod }, n) => {
      const next = steps[n + 1]?.fromKw;
      const months = pricedPeriod === 'P1Y' ? 12 : 1;
      return {
        up_to_kw: next === undefined ? aboveAll : next - (thresholdInclusive ? justBelow : 0),
        fee: (price.priceExVat / months) * factor,
      };
    }),
  };
}
