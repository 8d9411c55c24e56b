import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '#contract/problem.ts';
import type { AreaFile } from './area-file.ts';
import { decodeRing } from './area-file.ts';
import { type AreaIndex, createAreaIndex } from './area-index.ts';

export const shippedPlaces = join(import.meta.dirname, '../../data/places');
export const concessionsFile = 'concessions.json';

export type GridLocation = {
  /** the bidding zone */
  area: string;
  operator: string;
  /** of the operator, whether there are tariffs of it or not */
  providerId: string;
  /** its code; undefined at sea */
  municipality?: string;
};

export type Places = {
  locate(lat: number, lon: number): Promise<GridLocation>;
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

function locateIn({ concessions, municipalities, zones }: Indexes, lat: number, lon: number): GridLocation {
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

const gridSize = 6; // positions across a municipality: more than one operator may run its grid

/** Returns positions spread over the Swedish municipalities whose name is wanted. */
export function namedPositions(isWanted: (name: string) => boolean): { lat: number; lon: number }[] {
  const file = JSON.parse(readFileSync(join(shippedPlaces, 'municipalities.json'), 'utf8')) as AreaFile;
  const wanted = file.areas.filter(({ name = '' }) => isWanted(name));
  return wanted.flatMap((area) => {
    const index = createAreaIndex({ ...file, areas: [area] });
    const corners = area.polygons.flatMap(([outer]) => pairsOf(decodeRing(outer!)));
    const [west, east] = rangeOf(corners.map(([x]) => x));
    const [south, north] = rangeOf(corners.map(([, y]) => y));
    const steps = Array.from({ length: gridSize }, (_, n) => (n + 0.5) / gridSize);
    return steps
      .flatMap((up) => steps.map((right) => [west + (east - west) * right, south + (north - south) * up] as const))
      .map(([x, y]) => ({ lat: rounded(y * file.step), lon: rounded(x * file.step) }))
      .filter(({ lat, lon }) => index.find(lon, lat));
  });
}

const pairsOf = (steps: Int32Array): [x: number, y: number][] =>
  Array.from({ length: steps.length / 2 }, (_, n) => [steps[2 * n]!, steps[2 * n + 1]!]);

const rangeOf = (values: readonly number[]): [least: number, most: number] => [
  values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
  values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
];

const rounded = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;
