import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import type { Clock } from '#lib/clock.ts';
import { addressKey, createRateLimiter } from '#lib/rate-limit.ts';
import type { BrokerLimits } from './limits.ts';

export type Accept = (stream: Duplex, address: string | undefined) => void;

export const socketOptions = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 };

export function createTcpListener(accept: Accept): Server {
  return createTcpServer(socketOptions, (socket) => accept(socket, socket.remoteAddress));
}

export function createTlsListener(
  accept: Accept,
  certificate: { cert: string; key: string },
  { connectMs }: BrokerLimits,
): Server {
  const server = createTlsServer({ ...socketOptions, ...certificate, handshakeTimeout: connectMs }, (socket) =>
    accept(socket, socket.remoteAddress),
  );
  return server.on('tlsClientError', (_error, socket) => socket.destroy());
}

const maxAddresses = 100_000;

/** Limits the connections of one address, before anything is read from them. */
export function createSocketGate(limits: BrokerLimits, clock: Clock) {
  const addresses = new Map<Socket, string>();
  const perAddress = new Map<string, number>();
  const limit = limits.connectsPerMinute;
  const connects = createRateLimiter({ limit, windowMs: 60_000, clock, maxKeys: maxAddresses });

  function enter(socket: Socket): void {
    const address = addressKey(socket.remoteAddress ?? '');
    const before = perAddress.get(address) ?? 0;
    if (before >= limits.connectionsPerAddress || !connects.take(address).allowed) return void socket.destroy();
    perAddress.set(address, before + 1);
    addresses.set(socket, address);
    socket.on('close', leave);
  }

  function leave(this: Socket): void {
    const address = addresses.get(this);
    if (address === undefined) return;
    addresses.delete(this);
    const left = (perAddress.get(address) ?? 1) - 1;
    if (left === 0) perAddress.delete(address);
    else perAddress.set(address, left);
  }

  return {
    watch: (server: Server): void => void server.prependListener('connection', enter),
    destroyAll(): void {
      for (const socket of addresses.keys()) socket.destroy();
    },
  };
}
