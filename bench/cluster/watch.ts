import { signIn } from '../cloud-server.ts';
import type { Order, StreamFigures } from '../live/viewers.ts';
import { startChild } from '../measure/child.ts';
import { idOf } from '../registry/fill.ts';
import type { Nodes } from './start-nodes.ts';

/** Viewers at two nodes; the gateway of the site with an even number is at the first node. */
export type Viewers = {
  /** Returns what viewers received since the last call whose gateway is at their own node, and at the other one. */
  tell(): Promise<{ near: StreamFigures; far: StreamFigures }>;
};

/** Opens streams of the sites of a fleet, half of them at the node that their gateway is not at. */
export async function seatViewers(
  { nodes, fleet }: Nodes,
  { count, firstSite, open }: { count: number; firstSite: number; open: AsyncDisposableStack },
): Promise<Viewers> {
  const two = nodes.slice(0, 2);
  const token = await signIn(two[0]!.url, fleet.owner);
  const seat = async (distance: number) => {
    const viewers = open.use(startChild(import.meta.resolve('../live/viewers.ts')));
    const ask = (order: Order): Promise<StreamFigures> => viewers.ask<StreamFigures>(order);
    for (const [number, node] of two.entries()) {
      const sites = Array.from({ length: count / 4 }, (_, index) => firstSite + 2 * index + ((number + distance) % 2));
      const paths = sites.map((site) => `/stream/sites/${idOf('sit', site)}`);
      await ask({ do: 'open', port: Number(new URL(node.url).port), token, paths });
    }
    return () => ask({ do: 'tell' });
  };
  const [near, far] = [await seat(0), await seat(1)];
  return { tell: async () => ({ near: await near(), far: await far() }) };
}
