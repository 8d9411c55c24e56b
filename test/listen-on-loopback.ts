import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Has a server listen at 127.0.0.1, on any free port unless told; tells which. */
export async function listenOnLoopback(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
