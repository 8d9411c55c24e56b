import type { Server } from 'node:net';
import { errorCode } from './error-code.ts';
import type { Logger } from './log.ts';

/** A server with a `listen` method; a Fastify instance is one. */
export type Listening = { server: Server; listen(at: { host: string; port: number }): Promise<unknown> };

export type ListenOptions = {
  host: string;
  port: number;
  /** whether to try the next ports when this one is taken */
  mayMove: boolean;
  log: Logger;
};

const maxMoves = 50;

export async function listen(listening: Listening, { host, port, mayMove, log }: ListenOptions): Promise<number> {
  const { server } = listening;
  for (let candidate = port; ; candidate++) {
    try {
      await listening.listen({ host, port: candidate });
      const address = server.address();
      const bound = typeof address === 'object' && address ? address.port : candidate;
      if (port !== 0 && bound !== port)
        log.warn({ wanted: port, port: bound }, 'port in use, listening on another one');
      server.on('error', (error) => log.error({ err: error, port: bound }, 'cannot accept connections'));
      return bound;
    } catch (error) {
      const isTaken = errorCode(error) === 'EADDRINUSE';
      if (!isTaken || !mayMove || port === 0 || candidate === port + maxMoves) throw error;
    }
  }
}
