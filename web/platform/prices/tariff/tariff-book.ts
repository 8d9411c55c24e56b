import { getEltariffInfo, type Interval, listEltariffs, type Tariff } from '#contract/price/eltariff.ts';
import { tariffRoutesA } from '#contract/price/tariffs.ts';
import { Problem } from '#contract/problem.ts';
import { prices } from '../market.ts';

export type Provider = { id: string; name: string; isOutOfDate: boolean; validUntil: string };

export async function listProviders(signal: AbortSignal): Promise<Provider[]> {
  const { providers } = await prices.call(tariffRoutesA.providers, { signal });
  return providers
    .map(({ id, name, out_of_date, valid_until }) => ({ id, name, isOutOfDate: out_of_date, validUntil: valid_until }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'sv'));
}

/** What a grid operator charges for, and who says so. */
export type Book = {
  providerId: string;
  operator: string;
  tariffs: Tariff[];
  source?: { from: string[]; confidence: string; caveat?: string } | undefined;
};

export async function loadBook(providerId: string, signal: AbortSignal): Promise<Book> {
  const params = { provider: providerId };
  const [info, { tariffs }] = await Promise.all([
    prices.call(getEltariffInfo, { params, signal }),
    prices.call(listEltariffs, { params, signal }),
  ]);
  const used = tariffs.filter(({ direction }) => direction === 'consumption');
  return { providerId, operator: info.operator, tariffs: used, source: info.source };
}

/** The grid operator that has a tariff; the one with the name of its company is asked first. */
export async function providerOf(tariffId: string, signal: AbortSignal): Promise<string> {
  const [{ tariff }, providers] = await Promise.all([
    prices.call(tariffRoutesA.tariff, { params: { tariff_id: tariffId }, signal }),
    listProviders(signal),
  ]);
  const isNamed = ({ name }: Provider): number => Number(name === tariff.companyName);
  for (const { id } of providers.toSorted((a, b) => isNamed(b) - isNamed(a))) {
    const { power_tariffs } = await prices.call(tariffRoutesA.provider, { params: { provider_id: id }, signal });
    if (power_tariffs.some((each) => each.id === tariffId)) return id;
  }
  throw new Problem('not_found', `No grid operator has the tariff ${tariffId}.`);
}

export type Position = { lat: number; lon: number };
export type Located = { area: string; providerId: string };

/** Who owns the grid at a position; undefined where that is not known. */
export async function locate(position: Position, signal?: AbortSignal): Promise<Located | undefined> {
  try {
    const found = await prices.call(tariffRoutesA.lookup, { query: position, ...(signal && { signal }) });
    return { area: found.area, providerId: found.tariff_provider_id };
  } catch (problem) {
    if (problem instanceof Problem && problem.code === 'not_found') return undefined;
    throw problem;
  }
}

/** Dates are compared as text, which orders them. */
export const holds = ({ fromIncluding, toExcluding }: Interval, day: string): boolean =>
  fromIncluding <= day && day < toExcluding;

/** The tariffs of today first, then the newest; the same name keeps its order. */
export const byNeed = (tariffs: readonly Tariff[], today: string): Tariff[] =>
  tariffs.toSorted(
    (a, b) =>
      Number(holds(b.validPeriod, today)) - Number(holds(a.validPeriod, today)) ||
      b.validPeriod.toExcluding.localeCompare(a.validPeriod.toExcluding),
  );
