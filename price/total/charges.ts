import type { Part, TotalInterval } from '#contract/price/total.ts';
import { Problem } from '#contract/problem.ts';
import { formatTime, minuteMs } from '#contract/time.ts';
import { dateAt } from '#contract/time-zone.ts';
import type { Component, Tariff } from '../tariffs/eltariff.ts';
import { yearOf } from '../tariffs/local-time.ts';
import { keyOf, uncoveredProblem } from './grid-tariff.ts';
import { leviesOn } from './levies.ts';
import { fromMillionths, toMillionths } from './money.ts';
import { boundariesOf, createSegmentLookup, localMinuteAt } from './segments.ts';
import { createSpotLookup, type SpotPrice, type SpotPrices } from './spot.ts';
import { isTax, isTaxRate } from './taxes.ts';
import type { Terms } from './terms.ts';

/** A charge per kilowatt-hour on top of the spot price. Each rule has one object, so charges can be compared by identity. */
export type Charge = {
  kind: 'grid_energy' | 'energy_tax';
  name: string;
  source: string;
  rule: string;
  /** millionths per kWh */
  price: number;
  /** multiple of the spot price added to the price */
  spotMultiplier: number;
};

/** Returns a lookup of the charges at an instant; undefined when no price list covers the day. */
export function createChargeLookup(terms: Terms): (ms: number) => readonly Charge[] | undefined {
  const { tariff, book, area, municipality, timeZone } = terms;
  const known = new Map<string, Charge>();
  const remember = (key: string, make: () => Charge): Charge => {
    const charge = known.get(key) ?? make();
    known.set(key, charge);
    return charge;
  };

  const place = { area, municipality, taxZone: tariff?.provider.taxZone, seen: taxesSeen(tariff?.all ?? []) };
  const leviesOf = (date: string): Charge[] =>
    leviesOn(date, place).map(({ perKwh, ...levy }) =>
      remember(levy.rule, () => ({ ...levy, price: toMillionths(perKwh), spotMultiplier: 0 })),
    );

  /** Some operators list the full tax for their whole grid, so that the rate of a known municipality replaces it. */
  function withTaxes(charges: Charge[], date: string): Charge[] {
    const listed = charges.filter(({ kind }) => kind === 'energy_tax');
    const levies = leviesOf(date);
    const [levy] = levies;
    if (listed.length === 0) return [...charges, ...levies];
    if (municipality === undefined || !levy || listed.some(({ price }) => price === levy.price)) return charges;
    const isStatutory = listed.every(({ price }) => isTaxRate(fromMillionths(price), yearOf(date)));
    return isStatutory ? [...charges.filter((charge) => !listed.includes(charge)), ...levies] : charges;
  }

  const segments = createSegmentLookup(energyBoundaries(terms), (at) => {
    if (!tariff) return leviesOf(at.date);
    const current = tariff.on(at.date)?.tariff;
    if (!current) return undefined;
    const components = book.activeOrAssumed(current, 'energyPrice', at);
    const charges = components.map((component) =>
      // An assumed tax differs from year to year.
      remember(`${keyOf(current, component)} ${component.price?.priceExVat}`, () => chargeOf(current, component)),
    );
    return withTaxes(charges, at.date);
  });
  return (ms) => segments(localMinuteAt(timeZone, ms));
}

const energyBoundaries = ({ tariff }: Terms): number[] =>
  boundariesOf((tariff?.all ?? []).flatMap(({ energyPrice }) => energyPrice.components));

const isSpotLinked = ({ spotMultiplier }: Charge): boolean => spotMultiplier !== 0;

/** Tells whether any energy price of the tariff follows the spot price. */
export const hasSpotLinkedPrices = ({ tariff }: Terms): boolean =>
  (tariff?.all ?? []).some(({ energyPrice }) =>
    energyPrice.components.some((component) => component.spotPriceSettings),
  );

/** Throws a Problem when the tariff changes within an interval. */
export function checkStepLength(terms: Terms, stepMs: number): void {
  if (energyBoundaries(terms).every((minute) => (minute * minuteMs) % stepMs === 0)) return;
  const sentence = `Prices of "${terms.tariff?.given.name}" change within intervals of ${stepMs / minuteMs} minutes; use shorter intervals.`;
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
      year: yearOf(validPeriod.fromIncluding),
      sekPerKwh: price?.priceExVat ?? 0,
    }));

/** The price of a kilowatt-hour in an interval. All amounts are whole millionths, so that they add up to the total. */
export type PricedInterval = {
  start: number;
  end: number;
  source: string;
  spot: number;
  charges: readonly { charge: Charge; amount: number }[];
  vat: number;
  total: number;
};

function priceInterval(
  { perEuro, markup = 0, vat }: Terms,
  { start, end }: TimeRange,
  { eur_per_mwh, source }: SpotPrice,
  charges: readonly Charge[],
): PricedInterval {
  const spotPrice = (eur_per_mwh * perEuro) / 1000;
  const spot = toMillionths(spotPrice);
  const charged = charges.map((charge) => {
    const { price, spotMultiplier } = charge;
    return { charge, amount: spotMultiplier === 0 ? price : price + toMillionths(spotMultiplier * spotPrice) };
  });
  let sum = spot + markup;
  for (const { amount } of charged) sum += amount;
  const tax = vat ? Math.round((sum * vat.percent) / 100) + 0 : 0;
  return { start, end, source, spot, charges: charged, vat: tax, total: sum + tax };
}

export type TimeRange = { start: number; end: number };

export type PriceSources = {
  sources: Set<string>;
  isSimulated: boolean;
  /** days that no price list of the tariff covers */
  uncoveredDates: Set<string>;
};

export const noSources = (): PriceSources => ({ sources: new Set(), isSimulated: false, uncoveredDates: new Set() });

export type Pricer = ReturnType<typeof createPricer>;

const noSpot: SpotPrice = { eur_per_mwh: 0, source: '', isSimulated: false };

/** Returns a function that prices intervals, which must be given in order of time. */
export function createPricer(terms: Terms, { points, failure }: SpotPrices, found: PriceSources = noSources()) {
  const spotOf = createSpotLookup(points);
  const chargesOf = createChargeLookup(terms);

  /** Returns undefined when the grid fee is not known, or the spot price and something depends on it. */
  function price(interval: TimeRange, needsSpot = true): PricedInterval | undefined {
    const spot = spotOf(interval.start, interval.end);
    if (!spot && needsSpot) return undefined;
    const charges = chargesOf(interval.start);
    if (!charges) {
      found.uncoveredDates.add(dateAt(terms.timeZone, interval.start));
      return undefined;
    }
    if (!spot) return charges.some(isSpotLinked) ? undefined : priceInterval(terms, interval, noSpot, charges);
    found.sources.add(spot.source);
    found.isSimulated ||= spot.isSimulated;
    return priceInterval(terms, interval, spot, charges);
  }

  /** Creates the Problem of prices that are not known: an uncovered day, a source that failed, or this. */
  const missing = (when: string): Problem =>
    terms.tariff && found.uncoveredDates.size > 0
      ? uncoveredProblem(terms.tariff, [...found.uncoveredDates])
      : (failure ?? new Problem('not_found', `No price of ${terms.area.code} is known ${when}.`));

  return { found, price, missing };
}

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
      ...interval.charges.map(({ charge: { kind, source, rule }, amount }) => part(kind, amount, source, rule)),
      ...(vat ? [part('vat', interval.vat, vat.source, `${vat.percent} %`)] : []),
    ],
  };
}
