import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AreaFile } from './area-file.ts';
import { createAreaIndex } from './area-index.ts';
import { shippedPlaces } from './places.ts';
import { decodeRing } from './ring-text.ts';

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
