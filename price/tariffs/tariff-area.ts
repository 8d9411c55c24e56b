import type { Tariff } from './eltariff.ts';
import type { TariffArea, TariffProvider } from './provider.ts';

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
