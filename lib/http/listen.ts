import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from '../log.ts';

type ListenOptions = {
  host: string;
  port: number /** when the port is taken, take one of the next */;
  mayMove: boolean;
  log: Logger;
};

const mostMoves = 50;

/** Listens, and tells on which port. */
export async function listen(app: FastifyInstance, { host, port, mayMove, log }: ListenOptions): Promise<number> {
  for (let candidate = port; ; candidate++) {
    try {
      await app.listen({ host, port: candidate });
      const { port: bound } = app.server.address() as AddressInfo;
      if (port !== 0 && bound !== port)
        log.warn({ wanted: port, port: bound }, 'the port was taken, another one is used');
      return bound;
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!isTaken || !mayMove || candidate === port + mostMoves) throw error;
    }
  }
}
