import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export type Listener = Awaited<ReturnType<typeof listen>>;

export type ListenAddress = { host?: string; port: number };

/** Starts a TCP server; port 0 selects a free port. */
export async function listen({ host = '127.0.0.1', port }: ListenAddress, accept: (socket: Socket) => void) {
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy()); // 'close' follows
    accept(socket);
  });
  server.listen(port, host);
  await once(server, 'listening');
  const closeConnections = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    host,
    port: portOf(server.address()),
    closeConnections,
    async close(): Promise<void> {
      if (!server.listening) return;
      server.close();
      closeConnections();
      await once(server, 'close');
    },
  };
}

export function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a TCP port.');
  return address.port;
}
