import type { Part, TotalInterval } from '#contract/price/total.ts';
import { Problem } from '#contract/problem.ts';
import { formatTime, minuteMs } from '#contract/time.ts';
import type { Component, Tariff } from '../tariffs/eltariff.ts';
import { keyOf } from './grid-tariff.ts';
import { fromMillionths, toMillionths } from './money.ts';
import { boundariesOf, createSegmentLookup, localMinuteAt } from './segments.ts';
import type { SpotPrice } from './spot.ts';
import { energyTax, isTax } from './taxes.ts';
import type { Terms } from './terms.ts';

/** What a kilowatt-hour costs beside the electricity itself. One object for each rule, however often it applies. */
export type Charge = {
  kind: 'grid_energy' | 'energy_tax';
  name: string;
  source: string;
  rule: string;
  /** millionths for a kWh */
  price: number;
  /** this much of the spot price on top of it */
  spotMultiplier: number;
};

/** The charges of an instant, the same list whenever they are the same; undefined when no price list covers its day. */
export function createChargeLookup(terms: Terms): (ms: number) => readonly Charge[] | undefined {
  const { tariff, book, area, municipality } = terms;
  const timeZone = tariff?.given.timeZone ?? area.timeZone;
  const known = new Map<string, Charge>();
  const remember = (key: string, make: () => Charge): Charge => {
    const charge = known.get(key) ?? make();
    known.set(key, charge);
    return charge;
  };

  function taxOf(year: number): Charge[] {
    const tax = energyTax({ area, year, municipality, seen: taxesSeen(tariff?.all ?? []) });
    if (!tax) return [];
    const { sekPerKwh, source, rule } = tax;
    const price = toMillionths(sekPerKwh);
    return [remember(rule, () => ({ kind: 'energy_tax', name: 'Energy tax', source, rule, price, spotMultiplier: 0 }))];
  }

  const lists: (readonly Charge[])[] = [];
  const same = (charges: readonly Charge[]): readonly Charge[] => {
    const found = lists.find((list) => list.length === charges.length && list.every((each, n) => each === charges[n]));
    if (!found) lists.push(charges);
    return found ?? charges;
  };

  const segments = createSegmentLookup(
    boundariesOf((tariff?.all ?? []).flatMap(({ energyPrice }) => energyPrice.components)),
    (at) => {
      const current = tariff?.on(at.date)?.tariff;
      if (tariff && !current) return undefined;
      const components = current ? book.activeOrAssumed(current, 'energyPrice', at) : [];
      const charges = components.map((component) =>
        // An assumed tax has another price every year.
        remember(`${keyOf(current!, component)} ${component.price?.priceExVat}`, () => chargeOf(current!, component)),
      );
      return same(components.some(isTax) ? charges : [...charges, ...taxOf(Number(at.date.slice(0, 4)))]);
    },
  );
  return (ms) => segments(localMinuteAt(timeZone, ms));
}

/** An interval has one price, so the tariff may not change inside of one. */
export function checkStepLength({ tariff }: Terms, stepMs: number): void {
  const changes = boundariesOf((tariff?.all ?? []).flatMap(({ energyPrice }) => energyPrice.components));
  if (changes.every((minute) => (minute * minuteMs) % stepMs === 0)) return;
  const sentence = `Prices of "${tariff!.given.name}" change inside of intervals of ${stepMs / minuteMs} minutes; use shorter ones.`;
  throw new Problem('unprocessable', sentence);
}

function chargeOf({ name, companyName }: Tariff, component: Component): Charge {
  return {
    kind: isTax(component) ? 'energy_tax' : 'grid_energy',
    name: component.name,
    source: companyName,
    rule: `${name}: ${component.name}`,
    price: toMillionths(component.price?.priceExVat ?? 0),
    spotMultiplier: component.spotPriceSettings?.multiplier ?? 0,
  };
}

const taxesSeen = (tariffs: readonly Tariff[]) =>
  tariffs
    .flatMap(({ energyPrice }) => energyPrice.components)
    .filter(isTax)
    .map(({ validPeriod, price }) => ({
      year: Number(validPeriod.fromIncluding.slice(0, 4)),
      sekPerKwh: price?.priceExVat ?? 0,
    }));

/** What a kilowatt-hour costs in an interval. All amounts are millionths, so that they add up to the total. */
export type PricedInterval = {
  start: number;
  end: number;
  source: string;
  spot: number;
  charges: readonly Charge[];
  /** what each of the charges comes to */
  charged: readonly number[];
  vat: number;
  total: number;
};

export function priceInterval(
  { perEuro, markup = 0, vat }: Terms,
  { start, end }: { start: number; end: number },
  { eur_per_mwh, source }: SpotPrice,
  charges: readonly Charge[],
): PricedInterval {
  const spotPrice = (eur_per_mwh * perEuro) / 1000;
  const spot = toMillionths(spotPrice);
  const charged = charges.map(({ price, spotMultiplier }) =>
    spotMultiplier === 0 ? price : price + toMillionths(spotMultiplier * spotPrice),
  );
  let sum = spot + markup;
  for (const amount of charged) sum += amount;
  const tax = vat ? Math.round((sum * vat.percent) / 100) + 0 : 0;
  return { start, end, source, spot, charges, charged, vat: tax, total: sum + tax };
}

/** The interval in the words of the interface. */
export function toWireInterval({ markup, vat }: Terms, interval: PricedInterval): TotalInterval {
  const part = (kind: Part['kind'], amount: number, source: string, rule?: string): Part => ({
    kind,
    amount: fromMillionths(amount),
    source,
    ...(rule !== undefined && { rule }),
  });
  return {
    start: formatTime(interval.start),
    end: formatTime(interval.end),
    total: fromMillionths(interval.total),
    parts: [
      part('spot', interval.spot, interval.source),
      ...(markup === undefined ? [] : [part('markup', markup, 'your request')]),
      ...interval.charges.map(({ kind, source, rule }, n) => part(kind, interval.charged[n]!, source, rule)),
      ...(vat ? [part('vat', interval.vat, vat.source, `${vat.percent} %`)] : []),
    ],
  };
}
