import { isValidOn } from '#contract/price/tariff-rules.ts';
import { Problem } from '#contract/problem.ts';
import type { Component, Interval, Tariff } from '../tariffs/eltariff.ts';
import { caveatOf, sourceOf } from '../tariffs/provider.ts';
import type { ApplicableTariff, TariffBook } from '../tariffs/tariff-book.ts';
import { priceListDate } from '../tariffs/tariff-book.ts';
import { datesOf } from './billing-period.ts';

/** A tariff with the price lists that apply instead of it at other times. */
export type GridTariff = ReturnType<typeof findGridTariff>;

/** Finds a tariff. The fuse size in ampere decides when several tariffs replaced it. */
export function findGridTariff(book: TariffBook, id: string, fuse?: number) {
  const found = book.findTariff(id);
  if (!found) throw new Problem('not_found', `Unknown tariff ${id}.`);
  const { tariff: given, provider } = found;
  if (given.direction !== 'consumption') {
    throw new Problem('unprocessable', `The tariff "${given.name}" is for production, not for consumption.`);
  }
  const all = [
    ...new Set([
      given,
      ...book.relatives(given),
      ...provider.tariffs.filter((other) => book.successor(given, other.validPeriod.fromIncluding) === other),
    ]),
  ];
  const known = new Map<string, ApplicableTariff | undefined>(); // a bill looks up each day many times
  return {
    given,
    provider,
    all,
    /** Returns the price list of a day; undefined before the first one. */
    on(date: string): ApplicableTariff | undefined {
      if (!known.has(date)) known.set(date, book.tariffOn(given, date, fuse));
      return known.get(date);
    },
  };
}

export function uncoveredProblem({ given }: GridTariff, [first, ...others]: readonly string[]): Problem {
  const { fromIncluding, toExcluding } = given.validPeriod;
  const known = `The prices of "${given.name}" of ${given.companyName} are known from ${fromIncluding} to ${toExcluding} (excluding)`;
  const more = others.length === 0 ? '' : ` and ${others.length} other ${others.length === 1 ? 'day' : 'days'}`;
  return new Problem('unprocessable', `${known}, not on ${first}${more}.`);
}

/** Counts the days on which a component of a price list is charged; overlapping lists count once. */
export const countChargedDays = (tariff: GridTariff, list: Tariff, component: Component, days: Interval): number =>
  datesOf(days).filter((date) => {
    const listed = tariff.on(date)?.tariff === list && priceListDate(list.validPeriod, date);
    return listed && isValidOn(component.validPeriod, listed);
  }).length;

/** Lists the price lists that are assumed to apply on some of these days, and what is in doubt about those that apply. */
export function assumedTariffs(tariff: GridTariff | undefined, days: Interval) {
  const applied = new Map<Tariff, ApplicableTariff>();
  for (const date of tariff ? datesOf(days) : []) {
    const found = tariff?.on(date);
    if (found && (found.isAssumed || !applied.has(found.tariff))) applied.set(found.tariff, found);
  }
  const assumed = [...applied.values()].filter(({ isAssumed }) => isAssumed);
  const expired = assumed
    .filter(({ isExpired }) => isExpired)
    .map(({ tariff: { id, name, validPeriod } }) => ({ id, name, validPeriod }));
  return {
    metadata: {
      ...(assumed.length > 0 && { assumed: true as const }),
      ...(expired.length > 0 && { assumed_tariffs: expired }),
    },
    notes: [
      ...assumed.flatMap(assumptionsOf),
      ...(tariff ? [...applied.keys()].flatMap((list) => doubtsOf(tariff, list)) : []),
    ],
  };
}

function assumptionsOf({ tariff: { name, validPeriod }, isExpired, alternatives = [] }: ApplicableTariff): string[] {
  const { fromIncluding, toExcluding } = validPeriod;
  const others = alternatives.map((other) => `"${other.name}"`).join(', ');
  return [
    ...(isExpired
      ? [
          `"${name}" was valid from ${fromIncluding} to ${toExcluding} (excluding). Newer prices are not known, so these are assumed to still apply. They may have changed.`,
        ]
      : []),
    ...(alternatives.length > 0
      ? [
          `The tariff was replaced by several, which depend on the main fuse. "${name}" is assumed; others are ${others}. Choose the one on your invoice.`,
        ]
      : []),
  ];
}

function doubtsOf({ provider }: GridTariff, list: Tariff): string[] {
  return sourceOf(provider, list)?.single_source
    ? [`"${list.name}" of ${list.companyName}: ${caveatOf(provider, list)}`]
    : [];
}

/** Returns a key that is unique across years; price lists may reuse component ids. */
export const keyOf = (tariff: Tariff, component: Component): string => `${tariff.id} ${component.id}`;
