import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findArea } from '../electricity/areas.ts';
import type { AreaFile } from '../tariffs/places/area-file.ts';
import { type AreaIndex, createAreaIndex } from '../tariffs/places/area-index.ts';
import type { PricePlace } from './terms.ts';

/** The price area and the municipality of a position in Sweden. The maps are read when they are first asked. */
export function openWhereabouts(folder: string): (lat: number, lon: number) => Promise<PricePlace | undefined> {
  let loading: Promise<[zones: AreaIndex, municipalities: AreaIndex]> | undefined;

  const read = async (name: string): Promise<AreaIndex> =>
    createAreaIndex(JSON.parse(await readFile(join(folder, name), 'utf8')) as AreaFile);

  return async (lat, lon) => {
    loading ??= Promise.all([read('bidding-zones.json'), read('municipalities.json')]);
    const [zones, municipalities] = await loading.catch((error: unknown) => {
      loading = undefined; // the next one tries again
      throw error;
    });
    const municipality = municipalities.find(lon, lat)?.id;
    // The zones are drawn coarsely: some towns on the coast and most islands lie outside of theirs.
    const zone = zones.find(lon, lat) ?? (municipality === undefined ? undefined : zones.nearest(lon, lat));
    const area = zone && findArea(zone.id);
    return area && { area, municipality };
  };
}
