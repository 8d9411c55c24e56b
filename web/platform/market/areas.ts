import { electricityRoutes } from '#contract/price/routes.ts';
import type { Choice } from '../../parts/field.tsx';
import { language } from '../../parts/text.ts';
import { prices } from './client.ts';

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
