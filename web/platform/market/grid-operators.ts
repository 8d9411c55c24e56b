import { electricityRoutes } from '#contract/price/routes.ts';
import { tariffRoutes } from '#contract/price/tariffs.ts';
import { Problem } from '#contract/problem.ts';
import type { ReplyOf } from '#contract/route.ts';
import { type Choice, withChosen } from '../../parts/field.tsx';
import { PageProblem } from '../../parts/problem-words.ts';
import { language, texts } from '../../parts/text.ts';
import { type Position, priceApi } from './total-price.ts';

const t = texts({
  unknown: 'This grid tariff is not available. Choose another one.',
  noPrices: 'The grid operator here is {operator}, but its prices are not available.',
});

export type GridOperator = ReplyOf<typeof tariffRoutes.providers>['providers'][number];

export async function listGridOperators(signal: AbortSignal): Promise<GridOperator[]> {
  const { providers } = await priceApi.call(tariffRoutes.providers, { signal });
  return providers.toSorted((a, b) => a.name.localeCompare(b.name, 'sv'));
}

export const listTariffsOf = async (providerId: string, signal: AbortSignal) =>
  (await priceApi.call(tariffRoutes.provider, { params: { provider_id: providerId }, signal })).power_tariffs;

/** Finds the grid operator of a tariff, asking the one with the company's name first. */
export async function findProviderOf(tariffId: string, signal: AbortSignal): Promise<string> {
  const [company, providers] = await Promise.all([getCompanyOf(tariffId, signal), listGridOperators(signal)]);
  const isNamed = ({ name }: GridOperator): number => Number(name === company);
  for (const { id } of providers.toSorted((a, b) => isNamed(b) - isNamed(a))) {
    if ((await listTariffsOf(id, signal)).some((each) => each.id === tariffId)) return id;
  }
  throw new PageProblem('not_found', t('unknown'));
}

async function getCompanyOf(tariffId: string, signal: AbortSignal): Promise<string> {
  try {
    return (await priceApi.call(tariffRoutes.tariff, { params: { tariff_id: tariffId }, signal })).tariff.companyName;
  } catch (cause) {
    if (!(cause instanceof Problem && cause.code === 'not_found')) throw cause;
    throw new PageProblem('not_found', t('unknown'), {}, { cause });
  }
}

type FoundOperator = {
  area: string;
  /** undefined if its tariffs are not known */
  providerId?: string;
  name: string;
};

export async function findGridOperator(position: Position, signal?: AbortSignal): Promise<FoundOperator | undefined> {
  try {
    const found = await priceApi.call(tariffRoutes.lookup, { query: position, ...(signal && { signal }) });
    const { area, tariff_provider_id: id, count_total } = found;
    return { area, name: nameOf(id), ...(count_total > 0 && { providerId: id }) };
  } catch (problem) {
    if (problem instanceof Problem && problem.code === 'not_found') return undefined;
    throw problem;
  }
}

/** Only the ID of an operator without tariffs is known, such as vattenfall_eldistribution. */
const nameOf = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1).replaceAll('_', ' ');

/** Returns a note if the grid operator was found but has no tariffs. */
export const noPricesNote = (found: FoundOperator | undefined): string | undefined =>
  found && found.providerId === undefined ? t('noPrices', { operator: found.name }) : undefined;

type Area = { area: string; country: string };

export const listAreas = async (signal: AbortSignal): Promise<Area[]> =>
  (await priceApi.call(electricityRoutes.listAreas, { signal })).areas;

/** Returns the areas as choices, including `chosen` if it is not listed. Area codes start with the country code. */
export function areaChoices(areas: readonly Area[], chosen: string | undefined): readonly Choice[] {
  const names = new Intl.DisplayNames(language.value, { type: 'region', fallback: 'none' });
  const label = ({ area, country }: Area): string => `${area}, ${names.of(area.slice(0, 2)) ?? country}`;
  return withChosen(
    areas.map((each) => ({ value: each.area, label: label(each) })),
    chosen,
  );
}
