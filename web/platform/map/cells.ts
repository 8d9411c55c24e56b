import { cellToBoundary } from 'h3-js';
import { createClient } from '#contract/client.ts';
import { type Cell, type CellStats, getCellStats, listCells } from '#contract/cloud/public.ts';
import { project, type World } from './projection.ts';

/** A cell with the corners it has on the world. */
export type DrawnCell = Cell & { corners: World[]; middle: World };

const anyone = createClient({ baseUrl: '' });

export async function loadCells(signal: AbortSignal): Promise<DrawnCell[]> {
  const { cells } = await anyone.call(listCells, { signal });
  return cells.map((cell) => ({
    ...cell,
    corners: cellToBoundary(cell.h3_index).map(([latitude, longitude]) => project(latitude, longitude)),
    middle: project(cell.center_lat, cell.center_lng),
  }));
}

export const loadStats = (h3_index: string, signal: AbortSignal): Promise<CellStats> =>
  anyone.call(getCellStats, { params: { h3_index }, signal });

/** The cell at a place of the world. */
export function cellAt({ x, y }: World, cells: readonly DrawnCell[]): DrawnCell | undefined {
  return cells.find(({ corners }) => {
    let isInside = false;
    corners.forEach((a, i) => {
      const b = corners[(i + 1) % corners.length]!;
      if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) isInside = !isInside;
    });
    return isInside;
  });
}
