import * as contract from '#contract/price/legacy.ts';
import { Problem } from '#contract/problem.ts';
import { dateAt } from '#contract/time-zone.ts';
import type { Mount } from '#lib/http/mount.ts';
import { areas } from '../electricity/areas.ts';
import { knownSources } from '../electricity/sources.ts';
import { readTime } from '../tariffs/local-time.ts';
import {
  appliedRules,
  type Choice,
  fuseSizesIn,
  hasPowerTariff,
  type PowerRules,
  powerRulesOf,
} from '../tariffs/power-rules.ts';
import type { TariffProvider } from '../tariffs/provider.ts';
import { findProvider, swedishTime } from '../tariffs/routes.ts';
import type { TariffBook } from '../tariffs/tariff-book.ts';
import type { Tariffs } from '../tariffs/tariffs.ts';
import { createLegacyPrices, type LegacyPriceDeps } from './prices.ts';

export type LegacyDeps = LegacyPriceDeps & { tariffs: Tariffs };

export function legacyRoutes(mount: Mount<object>, { prices, sources, tariffs, clock }: LegacyDeps): void {
  const legacyPrices = createLegacyPrices({ prices, sources, clock });
  const today = (): string => dateAt(swedishTime, clock.now());
  mount(contract.getAreaPrices, ({ params, query }) => legacyPrices.ofAnybody({ ...params, ...query }));
  mount(contract.getProviderPrices, ({ params: { provider, area }, query }) =>
    legacyPrices.ofProvider(provider, { area, ...query }),
  );

  mount(contract.listPriceAreas, () => ({
    supported_areas: areas.map(({ code, country, eic }) => ({ name: code, country, code: eic })),
    total_count: areas.length,
  }));

  mount(contract.listPriceProviders, () => ({
    available_providers: Object.fromEntries(knownSources.map(({ id, name }) => [id, name])),
    active_providers: Object.fromEntries(
      sources.map(({ id, name, description, covers }) => [
        id,
        { name, description, areas_count: areas.filter((area) => covers(area)).length },
      ]),
    ),
    total_available: knownSources.length,
    total_active: sources.length,
  }));

  mount(contract.getLegacyHealth, () => ({
    status: 'healthy' as const,
    active_providers: sources.length,
    providers: sources.map(({ id }) => id),
  }));

  mount(contract.listTariffProviders, () => {
    const providers = tariffs.book().providers.filter(hasPowerTariff);
    return {
      supported_providers: providers.map(({ id, name }) => ({ provider: id, provider_display_name: name })),
      total_count: providers.length,
    };
  });

  mount(contract.getTariffProvider, ({ params }) => {
    const { provider, rules } = powerTariff(tariffs.book(), params.provider, { date: today() });
    return {
      ...rules,
      fuse_sizes: fuseSizesIn(provider),
      provider_display_name: provider.name,
      tariffs: provider.tariffs.map(({ id, name, validPeriod }) => ({
        id,
        name,
        valid_from: validPeriod.fromIncluding,
        valid_to: validPeriod.toExcluding,
      })),
      total_count: provider.tariffs.length,
    };
  });

  mount(contract.getTariffRules, ({ params }) => powerTariff(tariffs.book(), params.provider, { date: today() }).rules);
  mount(contract.calculateTariff, ({ params, query }) => calculate(tariffs.book(), params.provider, query));
}

/** Returns the rules of the price list of a day, else of its year, else of the newest one. */
function powerTariff(book: TariffBook, id: string, choice: Choice): { provider: TariffProvider; rules: PowerRules } {
  const provider = findProvider(book, id);
  const rules = powerRulesOf(provider, choice);
  if (!rules) throw new Problem('not_found', `${provider.name} has no power tariff.`);
  return { provider, rules };
}

function calculate(book: TariffBook, id: string, { timestamp, fuse_size }: { timestamp: string; fuse_size?: string }) {
  const at = readTime(swedishTime, timestamp, 'query.timestamp');
  const { rules } = powerTariff(book, id, { date: at.date, ...(fuse_size !== undefined && { fuseSize: fuse_size }) });
  const applied = appliedRules(rules, at);
  const base = sum(applied.map(({ price }) => price));
  const final = sum(applied.map(({ price, multiplier }) => price * multiplier));
  return {
    ...rules, // only the fields of the schema are sent
    timestamp: timestamp.replace(/^(.{11,}) (?=\d{2}:?\d{2}$)/, '$1+'), // an unescaped + of an offset arrives as a space
    fuse_size: fuse_size ?? null,
    applied_rules: applied.map((rule) => ({ ...rule, price: rounded(rule.price) })),
    base_price_per_kw: base,
    final_price_per_kw: final,
    multiplier: base === 0 ? 1 : rounded(final / base),
  };
}

const sum = (prices: readonly number[]): number => rounded(prices.reduce((total, price) => total + price, 0));

const rounded = (price: number): number => Math.round(price * 1e4) / 1e4;
