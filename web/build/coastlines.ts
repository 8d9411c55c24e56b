import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

// Country outlines by Natural Earth (public domain), from the package world-atlas.
type Topology = {
  transform: { scale: [number, number]; translate: [number, number] };
  arcs: [number, number][][];
  objects: {
    countries: { geometries: ({ type: 'Polygon'; arcs: number[][] } | { type: 'MultiPolygon'; arcs: number[][][] })[] };
  };
};

type Point = readonly [longitude: number, latitude: number];

const name = 'virtual:coastlines';
const digits = 1000; // thousandths of a degree, about 100 metres

// The first region that contains a point of a line decides its detail. All values are in degrees.
const regions = [
  { west: 4, south: 54, east: 32, north: 71, tolerance: 0.006, minWidth: 0.03 },
  { west: -12, south: 34, east: 42, north: 72, tolerance: 0.04, minWidth: 0.15 },
];
const elsewhere = { tolerance: 0.25, minWidth: 1.2 };

/** Provides `virtual:coastlines`: lines as differences between whole numbers, and the rings that are made of them. */
export function coastlines(): Plugin {
  return {
    name: 'coastlines',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) => (id === `\0${name}` ? `export default ${JSON.stringify(pack())};` : undefined),
  };
}

function pack(): { digits: number; lines: number[][]; rings: number[][] } {
  const file = new URL(import.meta.resolve('world-atlas/countries-10m.json'));
  const { arcs, transform, objects }: Topology = JSON.parse(readFileSync(file, 'utf8'));
  const lines = arcs.map((arc) => {
    const points = degreesOf(arc, transform);
    return simplify(points, detailOf(points).tolerance);
  });
  const rings = objects.countries.geometries
    .flatMap((geometry) => (geometry.type === 'MultiPolygon' ? geometry.arcs.flat() : geometry.arcs))
    .filter((ring) => isVisible(ring.flatMap((index) => lines[lineNumber(index)] ?? [])));
  return withoutUnused(lines, rings);
}

/** Returns the line of a reference; a negative reference is the same line backwards. */
const lineNumber = (index: number): number => (index < 0 ? ~index : index);

function degreesOf(arc: readonly [number, number][], { scale, translate }: Topology['transform']): Point[] {
  let x = 0;
  let y = 0;
  return arc.map(([dx, dy]) => {
    x += dx;
    y += dy;
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  });
}

const detailOf = (points: readonly Point[]): { tolerance: number; minWidth: number } =>
  regions.find(({ west, south, east, north }) =>
    points.some(([x, y]) => x >= west && x <= east && y >= south && y <= north),
  ) ?? elsewhere;

function isVisible(points: readonly Point[]): boolean {
  const xs = points.map(([x]) => x);
  return Math.max(...xs) - Math.min(...xs) >= detailOf(points).minWidth;
}

function withoutUnused(lines: readonly Point[][], rings: readonly number[][]) {
  const used = [...new Set(rings.flat().map(lineNumber))];
  const renumber = (index: number): number => {
    const number = used.indexOf(lineNumber(index));
    return index < 0 ? ~number : number;
  };
  return {
    digits,
    lines: used.map((line) => differences(lines[line] ?? [])),
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

/** Removes the points within `tolerance` of the line through the others (Douglas-Peucker). Keeps both ends. */
function simplify(points: readonly Point[], tolerance: number): Point[] {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 3) return [...points];
  let furthest = { index: 0, distance: 0 };
  for (const [index, point] of points.entries()) {
    const distance = distanceTo(point, first, last);
    if (distance > furthest.distance) furthest = { index, distance };
  }
  if (furthest.distance <= tolerance) return [first, last];
  const before = simplify(points.slice(0, furthest.index + 1), tolerance);
  const after = simplify(points.slice(furthest.index), tolerance);
  return [...before, ...after.slice(1)];
}

function distanceTo([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = Math.hypot(dx, dy);
  return length === 0 ? Math.hypot(x - ax, y - ay) : Math.abs(dy * x - dx * y + bx * ay - by * ax) / length;
}
