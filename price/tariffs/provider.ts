import { parse } from 'node:path';
import { fieldErrors, validator } from '#lib/http/validate.ts';
import { asObject, type CalendarPattern, fileProblem, readEltariff, type Tariff } from './eltariff.ts';
import { expandPriceList, type ListSource, PriceList, priceListForm } from './price-list.ts';

/** Where a tariff is valid within the grid of its operator. An operator with one price list for its whole grid has none. */
export type TariffArea = {
  /** bidding zones, such as SE4 */
  zones: readonly string[];
  /** codes of Swedish counties; all of the zones when left out */
  counties?: readonly string[];
  /** counties of the zones where another tariff is valid */
  exceptCounties?: readonly string[];
};

export type TariffProvider = {
  /** ASCII, with underscores */
  id: string;
  name: string;
  tariffs: readonly Tariff[];
  /** what the tariffs mean by weekdays, holidays and the like */
  calendarPatterns: readonly CalendarPattern[];
  source?: ListSource;
  /** where a tariff is valid, by its id, for those that are not valid in the whole grid */
  areas?: ReadonlyMap<string, TariffArea>;
};

/** How ids of providers are written, from how people write them. */
export const providerId = (text: string): string => text.toLowerCase().replaceAll('-', '_');

const check = validator(PriceList, 'body', 'refuse');

/** The provider of a file: a price list of ours, or what an Eltariff API answers. Throws a Problem that tells what is wrong. */
export function readProviderFile(path: string, text: string): TariffProvider {
  const file = parseText(text);
  return file.format === priceListForm ? fromPriceList(file) : fromEltariff(file, parse(path).name);
}

function parseText(text: string): Record<string, unknown> {
  try {
    return asObject(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw fileProblem([{ path: 'file', message: `is not whole JSON: ${error.message}` }]);
  }
}

function fromPriceList(file: unknown): TariffProvider {
  if (!check(file)) throw fileProblem(fieldErrors('file', check.errors ?? []));
  const list = file as PriceList;
  const { id, name } = list.provider;
  const areas = new Map(
    list.tariffs.flatMap(({ id: tariff, where }) => {
      if (!where) return [];
      const { zones, counties, except_counties: exceptCounties } = where;
      return [[tariff, { zones, ...(counties && { counties }), ...(exceptCounties && { exceptCounties }) }] as const];
    }),
  );
  return { id, name, source: list.source, ...(areas.size > 0 && { areas }), ...readEltariff(expandPriceList(list)) };
}

/** Such a file may say who the provider is; else its name does, and the company of the first tariff. */
function fromEltariff(file: Record<string, unknown>, fileName: string): TariffProvider {
  const collection = readEltariff(file);
  const { id, name } = asObject(file.provider);
  const textOr = (value: unknown, other: string): string => (typeof value === 'string' ? value : other);
  const itsId = providerId(textOr(id, fileName));
  if (!/^[a-z0-9_]{1,64}$/.test(itsId)) {
    throw fileProblem([{ path: 'file.provider.id', message: 'must be letters a to z, digits and underscores' }]);
  }
  return { id: itsId, name: textOr(name, collection.tariffs[0]?.companyName ?? itsId), ...collection };
}

/** Returns where a tariff is valid: as its file says, else the bidding zones that its texts name; undefined for everywhere. */
export function areaOf({ areas }: TariffProvider, tariff: Tariff): TariffArea | undefined {
  const listed = areas?.get(tariff.id);
  if (listed) return listed;
  // The standard has no field for it; operators write the zone into the name.
  const zones = zonesIn(`${tariff.name} ${tariff.product}`);
  if (zones.length > 0) return { zones };
  const described = zonesIn(tariff.description ?? '');
  return described.length > 0 ? { zones: described } : undefined;
}

const zonesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/(?<![a-z0-9])SE[ _-]?([1-4])(?![0-9])/gi)].map(([, digit]) => `SE${digit}`)),
];

/** Tells whether a tariff is valid at a place of the grid of its operator. */
export function isValidAt(area: TariffArea | undefined, place: { area: string; municipality?: string }): boolean {
  if (!area) return true;
  if (!area.zones.includes(place.area)) return false;
  const county = place.municipality?.slice(0, 2); // a municipality's code begins with that of its county
  if (county === undefined) return true;
  return (area.counties?.includes(county) ?? true) && !area.exceptCounties?.includes(county);
}
