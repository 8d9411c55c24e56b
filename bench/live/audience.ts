import type { Done } from '../fleet/generator.ts';
import { startChild } from '../measure/child.ts';
import type { ServerProcess } from '../measure/server-process.ts';
import { idOf } from '../registry/fill.ts';
import type { Order, StreamFigures } from './viewers.ts';

export type Round = StreamFigures & {
  /** events to be delivered to the viewers of their site, and deliveries */
  carried: number;
  deliveries: number;
  /** of a core, in percent */
  cpuShare: number;
  memoryMb: number;
};

/** Starts viewers of a server in their own process. */
export type Audience = AsyncDisposable & {
  /** Measures what the viewers receive and what it costs the server. */
  watch(load: () => Promise<Done>): Promise<Round>;
};

type Size = {
  count: number;
  sites: number;
  /** viewers that do not read */
  stalled?: number;
};

/** Connects them, the same number at each site. */
export async function seat(
  server: ServerProcess,
  token: string,
  { count, sites, stalled = 0 }: Size,
): Promise<Audience> {
  await using open = new AsyncDisposableStack();
  const viewers = open.use(startChild(import.meta.resolve('./viewers.ts')));
  const ask = (order: Order): Promise<StreamFigures> => viewers.ask<StreamFigures>(order);
  const paths = Array.from({ length: count }, (_, n) => `/stream/sites/${idOf('sit', n % sites)}`);
  await ask({ do: 'open', port: Number(new URL(server.url).port), token, paths });
  await ask({ do: 'stall', count: stalled });
  const kept = open.move();
  return {
    async watch(load) {
      await ask({ do: 'tell' });
      const before = await server.usage();
      const sent = await load();
      const after = await server.usage();
      const told = await ask({ do: 'tell' });
      return {
        ...told,
        carried: sent.messages / sent.seconds,
        deliveries: told.events / sent.seconds,
        cpuShare: (after.cpuUs - before.cpuUs) / (sent.seconds * 10_000),
        memoryMb: after.memoryMb,
      };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
