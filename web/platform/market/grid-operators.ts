import { electricityRoutes } from '#contract/price/routes.ts';
import { tariffRoutes } from '#contract/price/tariffs.ts';
import { Problem } from '#contract/problem.ts';
import type { Choice } from '../../parts/field.tsx';
import { PageProblem } from '../../parts/problem-words.ts';
import { language, texts } from '../../parts/text.ts';
import { prices } from './client.ts';

const t = texts({
  en: {
    unknown: 'The grid tariff is not known here, or no longer. Choose another.',
    noPrices: '{operator} runs the grid there; its prices are not known here.',
  },
  sv: {
    unknown: 'Elnätstariffen är inte känd här, eller inte längre. Välj en annan.',
    noPrices: '{operator} har elnätet där; företagets priser är inte kända här.',
  },
});

export type Provider = { id: string; name: string; isOutOfDate: boolean; validUntil: string };

export async function listProviders(signal: AbortSignal): Promise<Provider[]> {
  const { providers } = await prices.call(tariffRoutes.providers, { signal });
  return providers
    .map(({ id, name, out_of_date, valid_until }) => ({ id, name, isOutOfDate: out_of_date, validUntil: valid_until }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'sv'));
}

/** The tariffs of a grid operator. */
export const tariffsOf = async (providerId: string, signal: AbortSignal) =>
  (await prices.call(tariffRoutes.provider, { params: { provider_id: providerId }, signal })).power_tariffs;

/** The grid operator that has a tariff; the one with the name of its company is asked first. */
export async function providerOf(tariffId: string, signal: AbortSignal): Promise<string> {
  const [company, providers] = await Promise.all([companyOf(tariffId, signal), listProviders(signal)]);
  const isNamed = ({ name }: Provider): number => Number(name === company);
  for (const { id } of providers.toSorted((a, b) => isNamed(b) - isNamed(a))) {
    if ((await tariffsOf(id, signal)).some((each) => each.id === tariffId)) return id;
  }
  throw new PageProblem('not_found', t('unknown'));
}

async function companyOf(tariffId: string, signal: AbortSignal): Promise<string> {
  try {
    return (await prices.call(tariffRoutes.tariff, { params: { tariff_id: tariffId }, signal })).tariff.companyName;
  } catch (cause) {
    if (!(cause instanceof Problem && cause.code === 'not_found')) throw cause;
    throw new PageProblem('not_found', t('unknown'), {}, { cause });
  }
}

export type Position = { lat: number; lon: number };
type Located = {
  area: string;
  /** undefined where its tariffs are not known */
  providerId?: string;
  /** of the grid operator */
  name: string;
};

/** Who owns the grid at a position; undefined where that is not known. */
export async function locate(position: Position, signal?: AbortSignal): Promise<Located | undefined> {
  try {
    const found = await prices.call(tariffRoutes.lookup, { query: position, ...(signal && { signal }) });
    const { area, tariff_provider_id: id, count_total } = found;
    return { area, name: nameOf(id), ...(count_total > 0 && { providerId: id }) };
  } catch (problem) {
    if (problem instanceof Problem && problem.code === 'not_found') return undefined;
    throw problem;
  }
}

/** Of an operator without tariffs nothing is told but its id, such as vattenfall_eldistribution. */
const nameOf = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1).replaceAll('_', ' ');

/** What to say of a grid operator that was found and cannot be chosen; undefined where it can. */
export const noPricesWords = (found: Located | undefined): string | undefined =>
  found && found.providerId === undefined ? t('noPrices', { operator: found.name }) : undefined;

type Area = { area: string; country: string };

export async function listAreas(signal: AbortSignal): Promise<Area[]> {
  const { areas } = await prices.call(electricityRoutes.listAreas, { signal });
  return areas;
}

/** The areas to choose from, with that of `chosen` where it is none of them. Codes begin with that of their country. */
export function areaChoices(areas: readonly Area[], chosen: string | undefined): Choice[] {
  const names = new Intl.DisplayNames(language.value, { type: 'region', fallback: 'none' });
  const known = areas.map(({ area, country }) => ({
    value: area,
    label: `${area}, ${names.of(area.slice(0, 2)) ?? country}`,
  }));
  const isListed = !chosen || known.some(({ value }) => value === chosen);
  return isListed ? known : [{ value: chosen, label: chosen }, ...known];
}
