import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createWebSocketStream, WebSocketServer } from 'ws';
import type { BrokerLimits } from './limits.ts';
import { type Accept, socketOptions } from './listeners.ts';

const subprotocols = ['mqtt', 'mqttv3.1'];

export function webSocketDoor(accept: Accept, { connectMs, packetBytes }: BrokerLimits): Server {
  const server = createServer({ ...socketOptions, headersTimeout: connectMs, requestTimeout: connectMs });
  server.on('request', (_request, response) => response.writeHead(426, { upgrade: 'websocket' }).end());
  const webSockets = new WebSocketServer({
    server,
    maxPayload: packetBytes,
    perMessageDeflate: false,
    verifyClient: ({ req }: { req: IncomingMessage }) => offered(req).some((name) => subprotocols.includes(name)),
    handleProtocols: (names) => subprotocols.find((name) => names.has(name)) ?? false,
  });
  webSockets.on('connection', (socket, request) => accept(createWebSocketStream(socket), request.socket.remoteAddress));
  webSockets.on('error', () => {}); // the listener of the server handles it
  return server;
}

const offered = ({ headers }: IncomingMessage): string[] =>
  (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
