import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { simplify } from './simplify.ts';

// The outlines of countries by Natural Earth (public domain), from the package world-atlas.
type Topology = {
  transform: { scale: [number, number]; translate: [number, number] };
  arcs: [number, number][][];
  objects: { countries: { geometries: { type: string; arcs: number[][] | number[][][] }[] } };
};

type Point = readonly [longitude: number, latitude: number];

const name = 'virtual:coastlines';
const digits = 1000; // thousandths of a degree: about a hundred metres

// Finest where most people look: whoever zooms in elsewhere finds a coarser coast.
const regions = [
  { west: 4, south: 54, east: 32, north: 71, tolerance: 0.003, leastWidth: 0.03 }, // degrees
  { west: -12, south: 34, east: 42, north: 72, tolerance: 0.02, leastWidth: 0.1 },
  { west: -180, south: -90, east: 180, north: 90, tolerance: 0.15, leastWidth: 0.8 },
] as const;

/** `virtual:coastlines`: lines that meet at their ends, as differences of whole numbers, and the rings made of them. */
export function coastlines(): Plugin {
  return {
    name: 'coastlines',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) => (id === `\0${name}` ? `export default ${JSON.stringify(pack())};` : undefined),
  };
}

function pack(): { digits: number; lines: number[][]; rings: number[][] } {
  const file = new URL(import.meta.resolve('world-atlas/countries-10m.json'));
  const { arcs, transform, objects } = JSON.parse(readFileSync(file, 'utf8')) as Topology;
  const lines = arcs.map((arc) => {
    const points = degreesOf(arc, transform);
    return simplify(points, regionOf(points).tolerance);
  });
  const rings = objects.countries.geometries
    .flatMap(({ type, arcs }) => (type === 'MultiPolygon' ? (arcs as number[][][]).flat() : (arcs as number[][])))
    .filter((ring) => isSeen(ring.flatMap((index) => lines[lineNo(index)]!)));
  return withoutUnused(lines, rings);
}

const lineNo = (index: number): number => (index < 0 ? ~index : index);

function degreesOf(arc: readonly [number, number][], { scale, translate }: Topology['transform']): Point[] {
  let x = 0;
  let y = 0;
  return arc.map(([dx, dy]) => {
    x += dx;
    y += dy;
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  });
}

const regionOf = (points: readonly Point[]): (typeof regions)[number] =>
  regions.find(({ west, south, east, north }) =>
    points.some(([x, y]) => x >= west && x <= east && y >= south && y <= north),
  )!;

function isSeen(points: readonly Point[]): boolean {
  const xs = points.map(([x]) => x);
  return Math.max(...xs) - Math.min(...xs) >= regionOf(points).leastWidth;
}

function withoutUnused(lines: readonly Point[][], rings: readonly number[][]) {
  const used = [...new Set(rings.flat().map(lineNo))];
  const newNo = new Map(used.map((line, no) => [line, no]));
  const renumber = (index: number): number => (index < 0 ? ~newNo.get(~index)! : newNo.get(index)!);
  return {
    digits,
    lines: used.map((line) => differences(lines[line]!)),
    rings: rings.map((ring) => ring.map(renumber)),
  };
}

function differences(points: readonly Point[]): number[] {
  let [lastX, lastY] = [0, 0];
  return points.flatMap(([longitude, latitude]) => {
    const [x, y] = [Math.round(longitude * digits), Math.round(latitude * digits)];
    const step = [x - lastX, y - lastY];
    [lastX, lastY] = [x, y];
    return step;
  });
}
