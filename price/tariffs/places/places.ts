import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '#contract/problem.ts';
import { isMissingFile, undefinedIf } from '#lib/error-code.ts';
import { decodeRing, readAreaFile } from './area-file.ts';
import { type AreaIndex, boxOf, createAreaIndex } from './area-index.ts';

export const shippedPlaces = join(import.meta.dirname, '../../data/places');
export const concessionsFile = 'concessions.json';

type GridLocation = {
  area: string;
  operator: string;
  /** id of the operator, whether or not its tariffs are known */
  providerId: string;
  /** municipality code; undefined at sea */
  municipality?: string;
};

export type Places = ReturnType<typeof openPlaces>;

type MapName = 'concessions' | 'municipalities' | 'bidding-zones';

/** Looks up positions on the Swedish maps. Each map is loaded on first use; a file in `ownFolder` replaces the shipped one. */
export function openPlaces({ folder, ownFolder }: { folder: string; ownFolder?: string }) {
  const loading = new Map<MapName, Promise<AreaIndex>>();

  async function read(name: MapName): Promise<AreaIndex> {
    const own =
      ownFolder && (await readFile(join(ownFolder, `${name}.json`), 'utf8').catch(undefinedIf(isMissingFile)));
    return createAreaIndex(readAreaFile(own || (await readFile(join(folder, `${name}.json`), 'utf8'))));
  }

  function load(name: MapName): Promise<AreaIndex> {
    let map = loading.get(name);
    if (!map) {
      map = read(name);
      map.catch(() => loading.delete(name)); // the next request tries again
      loading.set(name, map);
    }
    return map;
  }

  /** The zones are drawn coarsely: some coastal towns and most islands lie outside, so the nearest one is used. */
  async function zoneAt(lat: number, lon: number): Promise<string> {
    const zones = await load('bidding-zones');
    const zone = zones.find(lon, lat) ?? zones.nearest(lon, lat);
    if (!zone) throw new Error('The map of bidding zones is empty.');
    return zone.id;
  }

  return {
    /** Returns the grid operator at a position; throws a Problem where none is known. */
    async locate(lat: number, lon: number): Promise<GridLocation> {
      const [concessions, municipalities] = await Promise.all([load('concessions'), load('municipalities')]);
      const found = concessions.find(lon, lat) ?? municipalities.find(lon, lat);
      if (!found) throw new Problem('not_found', `${lat}, ${lon} is outside Sweden or at sea.`);
      const { operator, provider } = found;
      if (!operator || !provider) {
        throw new Problem('not_found', `The grid operator of ${found.name} at ${lat}, ${lon} is not known.`);
      }
      const municipality = municipalities.find(lon, lat)?.id;
      return { area: await zoneAt(lat, lon), operator, providerId: provider, ...(municipality && { municipality }) };
    },
    async findZone(lat: number, lon: number): Promise<{ zone: string; municipality: string | undefined } | undefined> {
      const municipality = (await load('municipalities')).find(lon, lat)?.id;
      if (municipality !== undefined) return { zone: await zoneAt(lat, lon), municipality };
      const zone = (await load('bidding-zones')).find(lon, lat)?.id;
      return zone === undefined ? undefined : { zone, municipality };
    },
    async zonesOf(providerId: string): Promise<string[]> {
      const maps = await Promise.all([load('concessions'), load('municipalities')]);
      const corners = maps.flatMap((map) => map.cornersOf(providerId));
      return [...new Set(await Promise.all(corners.map(([lon, lat]) => zoneAt(lat, lon))))];
    },
  };
}

const gridSize = 6; // positions across a municipality, because several operators may share one

/** Returns positions spread over the Swedish municipalities whose name matches. */
export function namedPositions(isWanted: (name: string) => boolean): { lat: number; lon: number }[] {
  const file = readAreaFile(readFileSync(join(shippedPlaces, 'municipalities.json'), 'utf8'));
  const wanted = file.areas.filter(({ name = '' }) => isWanted(name));
  return wanted.flatMap((area) => {
    const index = createAreaIndex({ ...file, areas: [area] });
    const { west, south, east, north } = boxOf(area.polygons.flat().map(decodeRing));
    const steps = Array.from({ length: gridSize }, (_, n) => (n + 0.5) / gridSize);
    return steps
      .flatMap((up) => steps.map((right) => [west + (east - west) * right, south + (north - south) * up] as const))
      .map(([x, y]) => ({ lat: rounded(y * file.step), lon: rounded(x * file.step) }))
      .filter(({ lat, lon }) => index.find(lon, lat));
  });
}

const rounded = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;
