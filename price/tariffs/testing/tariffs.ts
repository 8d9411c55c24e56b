import type { FastifyInstance } from 'fastify';
import { createMount, type Mount } from '#lib/http/mount.ts';
import { createServer } from '#lib/http/server.ts';
import { createLog, type Logger } from '#lib/log.ts';
import { openTariffs, shippedTariffs, type Tariffs } from '../tariffs.ts';

export const silent: Logger = createLog({ level: 'silent', name: 'tariffs' });

/** Reads the shipped files. */
export async function readShipped(): Promise<Tariffs> {
  const tariffs = openTariffs({ folder: shippedTariffs, clock: { now: () => 0 }, log: silent });
  await tariffs.scan();
  return tariffs;
}

/** Creates a server without access checks. */
export function createOpenServer(): { app: FastifyInstance; mount: Mount<object> } {
  const app = createServer({ log: silent, apiVersion: '0' });
  const mount = createMount<object>(app, {
    unknownFields: 'refuse',
    admit: () => async () => {},
    serve: (_route, _request, handle) => handle({}),
  });
  return { app, mount };
}
