import { Problem } from '#contract/problem.ts';
import { readInstant } from '../electricity/market-day.ts';
import type { TariffProvider } from '../tariffs/provider.ts';
import { findProvider, swedishTime } from '../tariffs/routes.ts';
import { appliedRules, hasPowerTariff, type RuleRecord, rulesOf } from '../tariffs/rules.ts';
import type { TariffBook } from '../tariffs/tariff-book.ts';
import { type LocalTime, localTimeAt, readLocalTime } from '../tariffs/zone-clock.ts';

/** The grid operators that charge for power. */
export const powerProviders = ({ providers }: TariffBook): TariffProvider[] => providers.filter(hasPowerTariff);

type Choice = { date: string; fuseSize?: string };

/** By the price list of a day, else of its year, or by the newest when there is none. */
export function powerTariff(
  book: TariffBook,
  id: string,
  choice: Choice,
): { provider: TariffProvider; rules: RuleRecord } {
  const provider = findProvider(book, id);
  const rules = rulesOf(provider, choice);
  if (!rules) throw new Problem('not_found', `${provider.name} has no power tariff.`);
  return { provider, rules };
}

/** What a kilowatt costs at a time. */
export function calculate(
  book: TariffBook,
  id: string,
  { timestamp, fuse_size }: { timestamp: string; fuse_size?: string },
) {
  const at = wallTime(timestamp);
  const { rules } = powerTariff(book, id, { date: at.date, ...(fuse_size !== undefined && { fuseSize: fuse_size }) });
  const applied = appliedRules(rules, at);
  const base = sum(applied.map(({ price }) => price));
  const final = sum(applied.map(({ price, multiplier }) => price * multiplier));
  return {
    provider: rules.provider,
    timestamp,
    currency: rules.currency,
    fuse_size: fuse_size ?? null,
    applied_rules: applied.map(({ rule, description, price }) => ({ rule, description, price: rounded(price) })),
    base_price_per_kw: base,
    final_price_per_kw: final,
    multiplier: base === 0 ? 1 : rounded(final / base),
    note: rules.note,
    ...(rules.assumed && { assumed: rules.assumed, valid_from: rules.valid_from!, valid_to: rules.valid_to! }),
  };
}

function wallTime(text: string): LocalTime {
  const ms = readInstant(text);
  return ms === undefined ? readLocalTime(swedishTime, text, 'query.timestamp') : localTimeAt(swedishTime, ms);
}

const sum = (prices: readonly number[]): number => rounded(prices.reduce((total, price) => total + price, 0));

const rounded = (price: number): number => Math.round(price * 1e4) / 1e4;
