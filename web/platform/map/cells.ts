import { cellToBoundary } from 'h3-js';
import { createClient } from '#contract/client.ts';
import {
  type Cell,
  type CellStats,
  getCellStats,
  getPublicRules,
  listCells,
  type PublicRules,
} from '#contract/cloud/public.ts';
import { project, type WorldPoint } from './projection.ts';

/** A cell with its projected corners. */
export type DrawnCell = Cell & { corners: WorldPoint[]; middle: WorldPoint };

const publicApi = createClient({ baseUrl: '' });

export async function loadCells(signal: AbortSignal): Promise<DrawnCell[]> {
  const { cells } = await publicApi.call(listCells, { signal });
  return cells.map((cell) => ({
    ...cell,
    corners: cellToBoundary(cell.h3_index).map(([latitude, longitude]) => project(latitude, longitude)),
    middle: project(cell.center_lat, cell.center_lng),
  }));
}

export const loadStats = (h3_index: string, signal: AbortSignal): Promise<CellStats> =>
  publicApi.call(getCellStats, { params: { h3_index }, signal });

export const loadRules = (signal: AbortSignal): Promise<PublicRules> => publicApi.call(getPublicRules, { signal });

/** Returns the cell that contains a point. */
export function cellAt({ x, y }: WorldPoint, cells: readonly DrawnCell[]): DrawnCell | undefined {
  return cells.find(({ corners }) => {
    let isInside = false;
    corners.forEach((a, i) => {
      const b = corners.at(i - 1);
      if (b && a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) isInside = !isInside;
    });
    return isInside;
  });
}
