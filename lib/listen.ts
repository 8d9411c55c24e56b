import type { AddressInfo, Server } from 'node:net';
import type { Logger } from './log.ts';

/** A server, and how it begins to listen: Fastify is one. */
export type Listening = { server: Server; listen(at: { host: string; port: number }): Promise<unknown> };

export type ListenOptions = {
  host: string;
  port: number;
  /** when the port is taken, take one of the next */
  mayMove: boolean;
  log: Logger;
};

const mostMoves = 50;

/** Listens, and tells on which port. */
export async function listen(listening: Listening, { host, port, mayMove, log }: ListenOptions): Promise<number> {
  const { server } = listening;
  for (let candidate = port; ; candidate++) {
    try {
      await listening.listen({ host, port: candidate });
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
