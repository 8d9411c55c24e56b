import { createServer as createTcpServer, type Server } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import type { BrokerLimits } from './limits.ts';

/** Takes in a client's stream. */
export type Accept = (stream: Duplex, address: string | undefined) => void;

export const socketOptions = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 };

export function tcpDoor(accept: Accept): Server {
  return createTcpServer(socketOptions, (socket) => accept(socket, socket.remoteAddress));
}

export function tlsDoor(
  accept: Accept,
  certificate: { cert: string; key: string },
  { connectMs }: BrokerLimits,
): Server {
  const server = createTlsServer({ ...socketOptions, ...certificate, handshakeTimeout: connectMs }, (socket) =>
    accept(socket, socket.remoteAddress),
  );
  return server.on('tlsClientError', (_error, socket) => socket.destroy());
}
