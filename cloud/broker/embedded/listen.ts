import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import type { Logger } from '#lib/log.ts';

export type Place = { host: string; port: number; mayMove: boolean; log: Logger };

const mostMoves = 50;

/** Listens, on one of the next ports when the wanted one is taken and it may move; tells on which. */
export async function listen(server: Server, { host, port, mayMove, log }: Place): Promise<number> {
  for (let candidate = port; ; candidate++) {
    try {
      server.listen({ host, port: candidate });
      await once(server, 'listening');
      const { port: bound } = server.address() as AddressInfo;
      if (port !== 0 && bound !== port)
        log.warn({ wanted: port, port: bound }, 'the port was taken, another one is used');
      server.on('error', (error) => log.error({ err: error, port: bound }, 'connections cannot be accepted'));
      return bound;
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!isTaken || !mayMove || port === 0 || candidate === port + mostMoves) throw error;
    }
  }
}
