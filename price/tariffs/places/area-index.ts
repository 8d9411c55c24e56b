import { type AreaFile, decodeRing, type MapArea, type Position } from './area-file.ts';

const cellDegrees = 0.2;

type Box = { west: number; south: number; east: number; north: number };
type Polygon = { area: MapArea; rings: Int32Array[]; box: Box };

export type AreaIndex = ReturnType<typeof createAreaIndex>;

/** Indexes areas by position: a grid of cells finds candidate polygons, their rings decide. */
export function createAreaIndex({ step, areas }: AreaFile) {
  const polygons = areas
    .flatMap((area) =>
      area.polygons.map((texts): Polygon => {
        const rings = texts.map(decodeRing);
        return { area, rings, box: boxOf(rings) };
      }),
    )
    .sort((one, other) => sizeOf(one.box) - sizeOf(other.box));
  const cellSteps = Math.round(cellDegrees / step);
  const cells = gridOf(polygons, cellSteps);
  return {
    /** Returns the smallest area that contains a position. */
    find(lon: number, lat: number): MapArea | undefined {
      const [x, y] = [lon / step, lat / step];
      const near = cells.get(cellOf(Math.floor(x / cellSteps), Math.floor(y / cellSteps)));
      return near?.find((polygon) => isInBox(polygon.box, x, y) && isInside(polygon.rings, x, y))?.area;
    },
    nearest(lon: number, lat: number): MapArea | undefined {
      const from = { x: lon / step, y: lat / step, east: Math.cos((lat * Math.PI) / 180) };
      let best: { area: MapArea; square: number } | undefined;
      for (const { area, rings, box } of polygons) {
        if (best && squareToBox(box, from) >= best.square) continue;
        const square = Math.min(...rings.map((ring) => squareToRing(ring, from)));
        if (!best || square < best.square) best = { area, square };
      }
      return best?.area;
    },
    /** Returns one corner of each polygon of a provider. */
    cornersOf: (provider: string): Position[] =>
      polygons
        .filter(({ area }) => area.provider === provider)
        .map(({ rings: [outer] }) => {
          const [x = Number.NaN, y = Number.NaN] = outer ?? [];
          return [x * step, y * step];
        }),
  };
}

function forEachEdge(ring: Int32Array, visit: (x0: number, y0: number, x1: number, y1: number) => void): void {
  for (let end = 0, start = ring.length - 2; end < ring.length; start = end, end += 2) {
    visit(ring[start]!, ring[start + 1]!, ring[end]!, ring[end + 1]!);
  }
}

export function boxOf(rings: readonly Int32Array[]): Box {
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  for (const ring of rings) {
    forEachEdge(ring, (_x, _y, x, y) => {
      box.west = Math.min(box.west, x);
      box.east = Math.max(box.east, x);
      box.south = Math.min(box.south, y);
      box.north = Math.max(box.north, y);
    });
  }
  return box;
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
    forEachEdge(ring, (x0, y0, x1, y1) => {
      if (y1 > y !== y0 > y && x < x1 + ((x0 - x1) * (y - y1)) / (y0 - y1)) inside = !inside;
    });
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

function squareToRing(ring: Int32Array, from: From): number {
  let least = Infinity;
  forEachEdge(ring, (x0, y0, x1, y1) => {
    const [startX, startY] = [(x0 - from.x) * from.east, y0 - from.y];
    const [alongX, alongY] = [(x1 - x0) * from.east, y1 - y0];
    const length = alongX * alongX + alongY * alongY;
    const part = length === 0 ? 0 : Math.min(1, Math.max(0, -(startX * alongX + startY * alongY) / length));
    const nearX = startX + part * alongX;
    const nearY = startY + part * alongY;
    least = Math.min(least, nearX * nearX + nearY * nearY);
  });
  return least;
}
