import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export type Listener = {
  host: string;
  port: number;
  /** Ends every open connection. */
  hangUp(): void;
  close(): Promise<void>;
};

export type Address = { host?: string; port: number };

/** A TCP server; port 0 takes any that is free. */
export async function listen(
  { host = '127.0.0.1', port }: Address,
  accept: (socket: Socket) => void,
): Promise<Listener> {
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy()); // the other side is gone; 'close' follows
    accept(socket);
  });
  server.listen(port, host);
  await once(server, 'listening');
  const hangUp = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    host,
    port: (server.address() as AddressInfo).port,
    hangUp,
    async close() {
      if (!server.listening) return;
      server.close();
      hangUp();
      await once(server, 'close');
    },
  };
}
