import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createTcpServer, type Server } from 'node:net';
import type { Duplex } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { createWebSocketStream, WebSocketServer } from 'ws';
import type { BrokerLimits } from './limits.ts';

/** Takes in a client's stream. */
export type Accept = (stream: Duplex, address: string | undefined) => void;

const socketOptions = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 };

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

const subprotocols = ['mqtt', 'mqttv3.1'];

export function webSocketDoor(accept: Accept, { connectMs, packetBytes }: BrokerLimits): Server {
  const server = createHttpServer({ ...socketOptions, headersTimeout: connectMs, requestTimeout: connectMs });
  server.on('request', (_request, response) => response.writeHead(426, { upgrade: 'websocket' }).end());
  const webSockets = new WebSocketServer({
    server,
    maxPayload: packetBytes,
    perMessageDeflate: false,
    verifyClient: ({ req }: { req: IncomingMessage }) => offered(req).some((name) => subprotocols.includes(name)),
    handleProtocols: (names) => subprotocols.find((name) => names.has(name)) ?? false,
  });
  webSockets.on('connection', (socket, request) => accept(createWebSocketStream(socket), request.socket.remoteAddress));
  webSockets.on('error', () => {}); // whoever listens with the server is told
  return server;
}

const offered = ({ headers }: IncomingMessage): string[] =>
  (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
