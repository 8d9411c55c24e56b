import { isValidOn } from '#contract/price/tariff-rules.ts';
import type { FullLookup, PricesAt, TariffRoutes } from '#contract/price/tariffs.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import type { Route } from '#contract/route.ts';
import { formatTime } from '#contract/time.ts';
import { dateAt } from '#contract/time-zone.ts';
import type { Clock } from '#lib/clock.ts';
import type { Mount } from '#lib/http/mount.ts';
import { type Component, componentsOf, type GroupName, groupNames, type Tariff } from './eltariff.ts';
import { instantOfLocal, readTime, writeLocalTime } from './local-time.ts';
import type { Places } from './places/places.ts';
import { areaOf, caveatOf, isValidAt, type TariffProvider } from './provider.ts';
import type { TariffBook } from './tariff-book.ts';
import type { Tariffs } from './tariffs.ts';

export type TariffDeps = {
  tariffs: Tariffs;
  places: Places;
  clock: Clock;
  priceOf(component: Component, zone: string | undefined, at: number): Promise<Component['price']>;
};

export const eltariffVersion = '0.2.0';
export const implementationVersion = '1.0.0';
export const swedishTime = 'Europe/Stockholm';
const title = 'Ohmstead grid tariffs';

/** Mounts the tariff routes: by position, operator, tariff, and point in time. Replies contain the fields of their schema only. */
export function tariffRoutes(mount: Mount<object>, routes: TariffRoutes, deps: TariffDeps): void {
  const { tariffs, places, clock } = deps;
  const today = (): string => dateAt(swedishTime, clock.now());
  /** Returns when a provider's tariffs last changed; without tariffs, when the files were last read. */
  const lastUpdate = (provider: TariffProvider | undefined): string =>
    formatTime(provider?.tariffs.length ? changedAt(provider) : tariffs.scannedAt());

  /** Lists tariffs, valid ones first, otherwise in the operator's order. */
  const listed = (own: readonly Tariff[]) => {
    const [book, date] = [tariffs.book(), today()];
    const isExpired = ({ validPeriod }: Tariff): number => Number(!isValidOn(validPeriod, date));
    return own
      .toSorted((one, other) => isExpired(one) - isExpired(other))
      .map((tariff) => ({
        ...described(tariff),
        company: tariff.companyName,
        ...assumedOn(book, tariff, date),
        ...caveatOn(book, tariff),
      }));
  };

  mount(routes.overview, () => overviewOf(routes, tariffs.book()));
  mount(routes.health, () => ({ status: 'healthy' }));

  mount(routes.lookup, async ({ query }): Promise<FullLookup> => {
    const [lat, lon] = [degrees('lat', query.lat, 90), degrees('lon', query.lon, 180)];
    const place = await places.locate(lat, lon);
    const provider = tariffs.book().findProvider(place.providerId);
    const valid = provider?.tariffs.filter((tariff) => isValidAt(areaOf(provider, tariff), place)) ?? [];
    return {
      lat,
      lon,
      area: place.area,
      tariff_provider_id: place.providerId,
      count_total: valid.length,
      last_update: lastUpdate(provider),
      tariffs: listed(valid),
    };
  });

  mount(routes.providers, () => {
    const { providers } = tariffs.book();
    const errors = tariffs.errors();
    return {
      name: title,
      apiVersion: eltariffVersion,
      implementationVersion,
      lastUpdated: latest(providers.flatMap((provider) => provider.tariffs)),
      operator: 'Ohmstead',
      timeZone: swedishTime,
      identityProviderUrl: null,
      total_tariffs: tariffCount(tariffs.book()),
      total_providers: tariffs.fileCount(),
      successful_providers: tariffs.fileCount() - errors.length,
      last_aggregation: formatTime(tariffs.scannedAt()),
      providers: providers.map(({ id, name, country, tariffs: own }) => ({
        id,
        name,
        country,
        tariff_count: own.length,
        valid_until: own.reduce((last, { validPeriod }) => max(last, validPeriod.toExcluding), ''),
        out_of_date: !isCurrent(own, today()),
      })),
      errors: errors.length > 0 ? [...errors] : null,
    };
  });

  mount(routes.provider, ({ params }) => {
    const provider = findProvider(tariffs.book(), params.provider_id);
    const { id, name } = provider;
    return {
      id,
      name,
      power_tariff_count: provider.tariffs.length,
      status: isCurrent(provider.tariffs, today()) ? 'active' : 'out_of_date',
      last_update: lastUpdate(provider),
      power_tariffs: listed(provider.tariffs).map((tariff) => ({ ...tariff, provider: id })),
    };
  });

  mount(routes.tariff, async ({ params }) => {
    const book = tariffs.book();
    const found = findTariff(book, params.tariff_id);
    const { tariff } = found;
    const group = async (name: GroupName) => {
      const { priced, unpriced } = await withPrices(found, tariff[name].components, clock.now());
      const shown = (component: Component) => detailOf(tariff, name, component);
      return {
        components: priced.map((component) => ({ ...shown(component), ...component.price })),
        ...(unpriced.length > 0 && { unpriced: unpriced.map(shown) }),
      };
    };
    return {
      tariff: {
        ...described(tariff),
        fixedPrice: await group('fixedPrice'),
        energyPrice: await group('energyPrice'),
        powerPrice: await group('powerPrice'),
      },
      ...caveatOn(book, tariff),
      ...assumedOn(book, tariff, today()),
      ...successorOf(book, tariff, today()),
    };
  });

  for (const group of groupNames) {
    mount(routes[group], ({ params }) => pricesAt(tariffs.book(), params.tariff_id, group, params.datetime));
  }

  /** Prices components at an instant and separates those whose price is not known. */
  async function withPrices({ tariff, provider }: Found, components: readonly Component[], at: number) {
    const isLinked = components.some(({ spotPriceSettings }) => spotPriceSettings);
    const zones = isLinked ? (areaOf(provider, tariff)?.zones ?? (await places.zonesOf(provider.id))) : [];
    const zone = zones.length === 1 ? zones[0] : undefined;
    const priced: (Component & { price: Price })[] = [];
    const unpriced: Component[] = [];
    for (const component of components) {
      const price = await deps.priceOf(component, zone, at);
      if (price) priced.push({ ...component, price });
      else unpriced.push(component);
    }
    return { priced, unpriced };
  }

  async function pricesAt(book: TariffBook, tariffId: string, group: GroupName, datetime: string): Promise<PricesAt> {
    const found = findTariff(book, tariffId);
    const { tariff } = found;
    const at = readTime(tariff.timeZone, datetime, 'params.datetime');
    const { components, unit } = tariff[group];
    const assumed = assumedOn(book, tariff, at.date);
    const active = assumed.assumed ? book.activeOrAssumed(tariff, group, at) : book.active(tariff, group, at);
    const { priced, unpriced } = await withPrices(found, active, instantOfLocal(tariff.timeZone, at));
    return {
      ...described(tariff[group]),
      unit: unit ?? [...new Set(components.map((component) => measureOf(group, component)))].join(', '),
      components: priced.map(described),
      ...(unpriced.length > 0 && { unpriced: unpriced.map(described) }),
      datetime: writeLocalTime(at),
      tariff_id: tariff.id,
      price_type: group,
      ...(assumed.assumed && { ...assumed, validPeriod: tariff.validPeriod }),
      ...successorOf(book, tariff, at.date),
    };
  }
}

type Found = { tariff: Tariff; provider: TariffProvider };
type Price = NonNullable<Component['price']>;

const described = <Given extends { description?: string }>(given: Given) => ({
  ...given,
  description: given.description ?? '',
});

/** Marks a tariff that has expired by a date without a known successor. */
const assumedOn = (book: TariffBook, tariff: Tariff, date: string): Pick<PricesAt, 'assumed'> => {
  const found = book.tariffOn(tariff, date);
  return found?.isAssumed && found.tariff === tariff ? { assumed: true } : {};
};

function caveatOn(book: TariffBook, tariff: Tariff): { caveat?: string } {
  const caveat = caveatOf(findTariff(book, tariff.id).provider, tariff);
  return caveat === undefined ? {} : { caveat };
}

/** Returns the tariff of the same product that applies on a day instead of this one, if any. */
function successorOf(book: TariffBook, tariff: Tariff, date: string): Pick<PricesAt, 'successor'> {
  const found = book.tariffOn(tariff, date)?.tariff;
  return found && found !== tariff ? { successor: found } : {};
}

function measureOf(group: GroupName, { pricedPeriod = 'P1M' }: Component): string {
  if (group === 'fixedPrice') return pricedPeriod;
  return group === 'energyPrice' ? 'kWh' : 'kW';
}

const currencyOf = (tariff: Tariff): string =>
  componentsOf(tariff).find(({ price }) => price)?.price?.currency ?? 'SEK';

const detailOf = (tariff: Tariff, group: GroupName, component: Component) => ({
  ...component,
  currency: component.spotPriceSettings?.currency ?? currencyOf(tariff),
  pricedPeriod: measureOf(group, component),
});

export function findProvider(book: TariffBook, id: string): TariffProvider {
  const provider = book.findProvider(id);
  if (!provider) throw new Problem('not_found', `Unknown grid operator ${id.slice(0, 80)}.`);
  return provider;
}

export function findTariff(book: TariffBook, id: string): Found {
  const found = book.findTariff(id);
  if (!found) throw new Problem('not_found', `Unknown tariff ${id.slice(0, 80)}.`);
  return found;
}

function degrees(name: string, value: number | string, limit: number): number {
  const number = typeof value === 'number' || /^[+-]?\d{1,3}(\.\d{1,20})?$/.test(value) ? Number(value) : Number.NaN;
  if (Math.abs(number) <= limit) return number;
  throw fieldProblem('unprocessable', `query.${name}`, `must be a number of degrees from -${limit} to ${limit}`);
}

const isCurrent = (tariffs: readonly Tariff[], date: string): boolean =>
  tariffs.some(({ validPeriod }) => isValidOn(validPeriod, date));

const max = (one: string, other: string): string => (one > other ? one : other);

export const latest = (tariffs: readonly Tariff[]): string =>
  tariffs.reduce((last, { lastUpdated }) => max(last, lastUpdated), '1970-01-01T00:00:00');

function changedAt({ tariffs }: TariffProvider): number {
  const [date = '', time = ''] = latest(tariffs).split('T');
  return instantOfLocal(swedishTime, { date, time });
}

const tariffCount = ({ providers }: TariffBook): number =>
  providers.reduce((count, { tariffs }) => count + tariffs.length, 0);

const overviewOf = (routes: TariffRoutes, book: TariffBook) => ({
  name: title,
  version: eltariffVersion,
  description:
    'Tariffs of Swedish and Norwegian grid operators: by position in Sweden, by operator, and the prices in force at a time.',
  compliance: `Eltariff-API v${eltariffVersion}`,
  statistics: { total_tariffs: tariffCount(book), total_providers: book.providers.length },
  endpoints: Object.values<Route>(routes).map(({ method, path, summary }) => ({ method, path, summary })),
  documentation: { swagger: '/price/tariffs/docs', redoc: '/price/tariffs/redoc' }, // shared by both prefixes
});
