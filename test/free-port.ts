import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { listenOnLoopback } from './listen-on-loopback.ts';

// Below the range for outgoing connections, any of which might take it before it is used.
const [first, end] = [16_000, 32_000];

/** Finds a free port, followed by `more` free ones. */
export async function freePort(more = 0): Promise<number> {
  const port = randomInt(first, end - more);
  for (let each = port; each <= port + more; each++) if (!(await isFree(each))) return freePort(more);
  return port;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await listenOnLoopback(server, port);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}
