import { parse } from 'node:path';
import { fieldErrors, validator } from '#lib/http/validate.ts';
import { asObject, type CalendarPattern, fileProblem, readEltariff, type Tariff } from './eltariff.ts';
import {
  type Country,
  expandPriceList,
  type ListSource,
  PriceList,
  priceListForm,
  type TariffArea,
} from './price-list.ts';

export type TariffProvider = {
  /** lower-case ASCII with underscores */
  id: string;
  name: string;
  /** ISO 3166 code */
  country: Country;
  /** percent, where it differs from that of the country */
  vat?: number;
  /** region with other taxes, as `price/total/taxes.ts` names it */
  taxZone?: string;
  tariffs: readonly Tariff[];
  /** definitions of weekdays, holidays and other day types */
  calendarPatterns: readonly CalendarPattern[];
  source?: ListSource;
  /** by tariff id, for tariffs with another source */
  sources?: ReadonlyMap<string, ListSource>;
  /** by tariff id, for tariffs that are not valid in the whole grid */
  areas?: ReadonlyMap<string, TariffArea>;
  /** by the id of a list that a later publication replaced: the id of that one */
  aliases?: ReadonlyMap<string, string>;
  /** by tariff id: the tariffs of other products that it replaced */
  follows?: ReadonlyMap<string, readonly string[]>;
};

export const providerId = (text: string): string => text.toLowerCase().replaceAll('-', '_');

const check = validator(PriceList, 'body', 'refuse');

/** Reads a provider file, either our price list format or an Eltariff API response. Throws a Problem that lists every error. */
export function readProviderFile(path: string, text: string): TariffProvider {
  const file = parseText(text);
  return file.format === priceListForm ? fromPriceList(file) : fromEltariff(file, parse(path).name);
}

function parseText(text: string): Record<string, unknown> {
  try {
    return asObject(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw fileProblem([{ path: 'file', message: `is not valid JSON: ${error.message}` }]);
  }
}

function fromPriceList(list: unknown): TariffProvider {
  if (!check(list)) throw fileProblem(fieldErrors('file', check.errors ?? []));
  const { id, name, country = 'SE', vat, tax_zone } = list.provider;
  const sources = list.sources ?? {};
  const byTariff = <Value>(pick: (tariff: PriceList['tariffs'][number]) => Value | undefined) =>
    new Map(
      list.tariffs.flatMap((tariff) => {
        const value = pick(tariff);
        return value === undefined ? [] : [[tariff.id, value] as const];
      }),
    );
  return {
    id,
    name,
    country,
    ...(vat !== undefined && { vat }),
    ...(tax_zone !== undefined && { taxZone: tax_zone }),
    source: list.source,
    sources: byTariff(({ source }) => (source === undefined ? undefined : getSource(sources, source))),
    areas: byTariff(({ where }) => where),
    follows: byTariff(({ follows }) => follows),
    ...readEltariff(expandPriceList(list)),
  };
}

function getSource(sources: Readonly<Record<string, ListSource>>, name: string): ListSource {
  const source = sources[name];
  if (source) return source;
  throw fileProblem([{ path: 'file.tariffs.source', message: `names no source: ${JSON.stringify(name)}` }]);
}

export const sourceOf = ({ source, sources }: TariffProvider, tariff: Tariff): ListSource | undefined =>
  sources?.get(tariff.id) ?? source;

/** Returns what people should know about the origin of the prices; undefined when nothing is in doubt. */
export function caveatOf(provider: TariffProvider, tariff: Tariff): string | undefined {
  const source = sourceOf(provider, tariff);
  const doubts = [source?.single_source && 'These prices come from a single source.', source?.caveat].filter(Boolean);
  return doubts.length > 0 ? doubts.join(' ') : undefined;
}

/** Takes the provider from the file, else from the file name and the company of the first tariff. */
function fromEltariff(file: Record<string, unknown>, fileName: string): TariffProvider {
  const collection = readEltariff(file);
  const { id, name } = asObject(file.provider);
  const textOr = (value: unknown, other: string): string => (typeof value === 'string' ? value : other);
  const itsId = providerId(textOr(id, fileName));
  if (!/^[a-z0-9_]{1,64}$/.test(itsId)) {
    throw fileProblem([
      { path: 'file.provider.id', message: 'must consist of letters a to z, digits and underscores' },
    ]);
  }
  return { id: itsId, name: textOr(name, collection.tariffs[0]?.companyName ?? itsId), country: 'SE', ...collection };
}

/** Returns where a tariff is valid: from its file, else from bidding zones in its texts; undefined for everywhere. */
export function areaOf({ areas }: TariffProvider, tariff: Tariff): TariffArea | undefined {
  const listed = areas?.get(tariff.id);
  if (listed) return listed;
  // The standard has no field for zones; operators write them into the name.
  const zones = zonesIn(`${tariff.name} ${tariff.product}`);
  if (zones.length > 0) return { zones };
  const described = zonesIn(tariff.description ?? '');
  return described.length > 0 ? { zones: described } : undefined;
}

const zonesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/(?<![a-z0-9])SE[ _-]?([1-4])(?![0-9])/gi)].map(([, digit]) => `SE${digit}`)),
];

export function isValidAt(area: TariffArea | undefined, place: { area: string; municipality?: string }): boolean {
  if (!area) return true;
  if (!area.zones.includes(place.area)) return false;
  const county = place.municipality?.slice(0, 2); // a municipality code begins with its county code
  if (county === undefined) return true;
  return (area.counties?.includes(county) ?? true) && !area.except_counties?.includes(county);
}
