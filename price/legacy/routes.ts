import * as contract from '#contract/price/legacy.ts';
import { dateAt } from '#contract/time-zone.ts';
import type { Mount } from '#lib/http/mount.ts';
import { areas } from '../electricity/areas.ts';
import { knownSources } from '../electricity/sources.ts';
import { swedishTime } from '../tariffs/routes.ts';
import { fuseSizesIn } from '../tariffs/rules.ts';
import type { Tariffs } from '../tariffs/tariffs.ts';
import { calculate, powerProviders, powerTariff } from './power-tariff.ts';
import { createLegacyPrices, type LegacyPriceDeps } from './prices.ts';

export type LegacyDeps = LegacyPriceDeps & { tariffs: Tariffs };

/** The older form of the interface, from the same prices and tariffs. */
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
    const providers = powerProviders(tariffs.book());
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
