import { isValidOn } from '#contract/price/tariff-rules.ts';
import type { Tariff } from './eltariff.ts';
import type { TariffProvider } from './provider.ts';

/** Identifies a product across its price lists; some operators use one product for all fuse sizes. */
export const lineOf = ({ product, name }: Tariff): string => JSON.stringify([product, name]);

/**
 * Returns the price lists that can apply in place of a tariff: those of its product, then those of the products that
 * replaced it or that it replaced, then those related to them.
 */
export function relatedLists({ tariffs, follows }: TariffProvider, tariff: Tariff): Tariff[][] {
  const isLinked = (one: Tariff, other: Tariff): boolean =>
    Boolean(follows?.get(one.id)?.includes(other.id) || follows?.get(other.id)?.includes(one.id));
  const seen = new Set<string>();
  const steps: Tariff[][] = [];
  for (let lines = new Set([lineOf(tariff)]); lines.size > 0; ) {
    const lists = tariffs.filter((list) => lines.has(lineOf(list)));
    steps.push(lists);
    for (const line of lines) seen.add(line);
    const linked = tariffs.filter((list) => !seen.has(lineOf(list)) && lists.some((other) => isLinked(list, other)));
    lines = new Set(linked.map(lineOf));
  }
  return steps;
}

/** Tells whether another price list applies on a day in place of an expired one, or expired later. */
export const isReplaced = (provider: TariffProvider, tariff: Tariff, date: string): boolean =>
  relatedLists(provider, tariff)
    .flat()
    .some(
      ({ validPeriod }) =>
        isValidOn(validPeriod, date) ||
        (validPeriod.toExcluding <= date && validPeriod.toExcluding > tariff.validPeriod.toExcluding),
    );
