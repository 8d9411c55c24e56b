import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '#contract/problem.ts';
import type { AreaFile } from './area-file.ts';
import { type AreaIndex, createAreaIndex } from './area-index.ts';

export const shippedPlaces = join(import.meta.dirname, '../../data/places');
export const concessionsFile = 'concessions.json';

export type Place = {
  /** the bidding zone */
  area: string;
  operator: string;
  /** of the operator, whether there are tariffs of it or not */
  providerId: string;
  /** its code; undefined at sea */
  municipality?: string;
};

export type Places = {
  locate(lat: number, lon: number): Promise<Place>;
  /** The bidding zones that the grid of an operator touches. */
  zonesOf(providerId: string): Promise<string[]>;
};

type Indexes = { concessions: AreaIndex; municipalities: AreaIndex; zones: AreaIndex };

/** Who runs the grid at a position of Sweden. The maps are read when they are first asked. */
export function openPlaces({ folder, ownFolder }: { folder: string; ownFolder?: string }): Places {
  let loading: Promise<Indexes> | undefined;

  const load = async (): Promise<Indexes> => {
    const [concessions, municipalities, zones] = await Promise.all([
      readIndex(concessionsFile),
      readIndex('municipalities.json'),
      readIndex('bidding-zones.json'),
    ]);
    return { concessions, municipalities, zones };
  };

  async function readIndex(name: string): Promise<AreaIndex> {
    const own = ownFolder && (await readFile(join(ownFolder, name), 'utf8').catch(whenMissing));
    return createAreaIndex(JSON.parse(own || (await readFile(join(folder, name), 'utf8'))) as AreaFile);
  }

  async function loaded(): Promise<Indexes> {
    loading ??= load();
    return loading.catch((error: unknown) => {
      loading = undefined; // the next one tries again
      throw error;
    });
  }

  return {
    locate: async (lat, lon) => locateIn(await loaded(), lat, lon),
    async zonesOf(providerId) {
      const { concessions, municipalities, zones } = await loaded();
      const corners = [concessions, municipalities].flatMap((index) => index.cornersOf(providerId));
      return [...new Set(corners.map(([lon, lat]) => zoneAt(zones, lat, lon)))];
    },
  };
}

function whenMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}

function locateIn({ concessions, municipalities, zones }: Indexes, lat: number, lon: number): Place {
  const found = concessions.find(lon, lat) ?? municipalities.find(lon, lat);
  if (!found) throw new Problem('not_found', `${lat}, ${lon} lies outside Sweden, or at sea.`);
  const { operator, provider } = found;
  if (!operator || !provider) {
    throw new Problem('not_found', `We do not know who runs the grid of ${found.name} at ${lat}, ${lon}.`);
  }
  const municipality = municipalities.find(lon, lat)?.id;
  return { area: zoneAt(zones, lat, lon), operator, providerId: provider, ...(municipality && { municipality }) };
}

/** The zones are drawn coarsely: some towns on the coast and most islands lie outside of theirs. */
const zoneAt = (zones: AreaIndex, lat: number, lon: number): string =>
  (zones.find(lon, lat) ?? zones.nearest(lon, lat)!).id;
