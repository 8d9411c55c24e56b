import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { Aedes, type AedesOptions } from 'aedes';
import { listenOnLoopback } from '../listen-on-loopback.ts';

export type MqttBrokerOptions = AedesOptions & {
  port?: number;
  /** a certificate and its key, for TLS */
  tls?: TlsOptions | undefined;
};

/** A broker in this process, on a free port or on its previous one. */
export async function startMqttBroker({ port = 0, tls, ...options }: MqttBrokerOptions = {}) {
  const aedes = await Aedes.createBroker(options);
  const sockets = new Set<Socket>();
  const accept = (socket: Socket): void => {
    sockets.add(socket.on('error', () => {}));
    aedes.handle(socket);
  };
  const server: Server = tls ? createTlsServer(tls, accept) : createServer(accept);
  const listening = await listenOnLoopback(server, port);
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    aedes,
    port: listening,
    cut,
    async close(): Promise<void> {
      if (aedes.closed) return;
      server.close();
      cut();
      await new Promise<void>((resolve) => aedes.close(resolve));
    },
  };
}
