import type { AreaFile, MapArea, Position } from './area-file.ts';
import { decodeRing } from './area-file.ts';

const cellDegrees = 0.2;

type Box = { west: number; south: number; east: number; north: number };
type Polygon = { area: MapArea; rings: Int32Array[]; box: Box };

export type AreaIndex = {
  /** Returns the smallest area that contains a position. */
  find(lon: number, lat: number): MapArea | undefined;
  /** Returns the area with the nearest edge. */
  nearest(lon: number, lat: number): MapArea | undefined;
  /** Returns one corner of each polygon of a provider. */
  cornersOf(provider: string): Position[];
};

/** Indexes areas by position: a grid of cells finds candidate polygons, their rings decide. */
export function createAreaIndex({ step, areas }: AreaFile): AreaIndex {
  const polygons = areas
    .flatMap((area) => area.polygons.map((texts) => polygonOf(area, texts.map(decodeRing))))
    .sort((one, other) => sizeOf(one.box) - sizeOf(other.box));
  const cellSteps = Math.round(cellDegrees / step);
  const cells = gridOf(polygons, cellSteps);
  return {
    find(lon, lat) {
      const [x, y] = [lon / step, lat / step];
      const near = cells.get(cellOf(Math.floor(x / cellSteps), Math.floor(y / cellSteps)));
      return near?.find((polygon) => isInBox(polygon.box, x, y) && isInside(polygon.rings, x, y))?.area;
    },
    nearest(lon, lat) {
      const from = { x: lon / step, y: lat / step, east: Math.cos((lat * Math.PI) / 180) };
      let best: { area: MapArea; square: number } | undefined;
      for (const { area, rings, box } of polygons) {
        if (best && squareToBox(box, from) >= best.square) continue;
        const square = Math.min(...rings.map((ring) => squareToRing(ring, from)));
        if (!best || square < best.square) best = { area, square };
      }
      return best?.area;
    },
    cornersOf: (provider) =>
      polygons
        .filter(({ area }) => area.provider === provider)
        .map(({ rings: [outer] }) => [outer![0]! * step, outer![1]! * step]),
  };
}

function polygonOf(area: MapArea, rings: Int32Array[]): Polygon {
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  const outer = rings[0]!;
  for (let index = 0; index < outer.length; index += 2) {
    box.west = Math.min(box.west, outer[index]!);
    box.east = Math.max(box.east, outer[index]!);
    box.south = Math.min(box.south, outer[index + 1]!);
    box.north = Math.max(box.north, outer[index + 1]!);
  }
  return { area, rings, box };
}

const sizeOf = ({ west, south, east, north }: Box): number => (east - west) * (north - south);

const cellOf = (column: number, row: number): number => column * 4096 + row; // there are 1800 columns and 900 rows

function gridOf(polygons: readonly Polygon[], cellSteps: number): Map<number, Polygon[]> {
  const cells = new Map<number, Polygon[]>();
  for (const polygon of polygons) {
    const { west, south, east, north } = polygon.box;
    for (let column = Math.floor(west / cellSteps); column <= Math.floor(east / cellSteps); column++) {
      for (let row = Math.floor(south / cellSteps); row <= Math.floor(north / cellSteps); row++) {
        const cell = cellOf(column, row);
        const there = cells.get(cell);
        if (there) there.push(polygon);
        else cells.set(cell, [polygon]);
      }
    }
  }
  return cells;
}

const isInBox = ({ west, south, east, north }: Box, x: number, y: number): boolean =>
  west <= x && x <= east && south <= y && y <= north;

/** Even-odd rule: a point is inside if a line to the east crosses the rings an odd number of times. */
function isInside(rings: readonly Int32Array[], x: number, y: number): boolean {
  let inside = false;
  for (const ring of rings) {
    let beforeX = ring[ring.length - 2]!;
    let beforeY = ring[ring.length - 1]!;
    for (let index = 0; index < ring.length; index += 2) {
      const pointX = ring[index]!;
      const pointY = ring[index + 1]!;
      const crosses = pointY > y !== beforeY > y;
      if (crosses && x < pointX + ((beforeX - pointX) * (y - pointY)) / (beforeY - pointY)) inside = !inside;
      beforeX = pointX;
      beforeY = pointY;
    }
  }
  return inside;
}

/** A point in steps, with the length of a step east relative to a step north; the map is treated as flat. */
type From = { x: number; y: number; east: number };

function squareToBox({ west, south, east, north }: Box, from: From): number {
  const dx = Math.max(west - from.x, 0, from.x - east) * from.east;
  const dy = Math.max(south - from.y, 0, from.y - north);
  return dx * dx + dy * dy;
}

/** Returns the squared distance to the nearest point of a ring. */
function squareToRing(ring: Int32Array, from: From): number {
  let least = Infinity;
  let startX = (ring[ring.length - 2]! - from.x) * from.east;
  let startY = ring[ring.length - 1]! - from.y;
  for (let index = 0; index < ring.length; index += 2) {
    const endX = (ring[index]! - from.x) * from.east;
    const endY = ring[index + 1]! - from.y;
    const alongX = endX - startX;
    const alongY = endY - startY;
    const length = alongX * alongX + alongY * alongY;
    const part = length === 0 ? 0 : Math.min(1, Math.max(0, -(startX * alongX + startY * alongY) / length));
    const nearX = startX + part * alongX;
    const nearY = startY + part * alongY;
    least = Math.min(least, nearX * nearX + nearY * nearY);
    startX = endX;
    startY = endY;
  }
  return least;
}
