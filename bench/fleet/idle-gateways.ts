// Gateways that connect as ours do, with a will, keep-alive and subscriptions, and then send nothing.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { generate } from 'mqtt-packet';
import { commandFilters, platformTopic, stateTopic, telemetryAckTopic } from '#contract/topics.ts';
import '#lib/mqtt-packet-cache.ts';
import type { Login } from './enrol.ts';

/** A request of the benchmark; the answer is the number of gateways that are connected. */
export type Order = { port: number; logins: Login[] };

const atOnce = 50;
const keepalive = 3600; // none pings during the benchmark
const sockets: Socket[] = [];

async function open(port: number, { serial, password }: Login): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  socket.on('close', () => {
    throw new Error(`The server ended the connection of ${serial}.`);
  });
  await once(socket, 'connect');
  const login = { clientId: serial, username: serial, password: Buffer.from(password) };
  const will = { topic: stateTopic(serial), payload: Buffer.from(willOf()), qos: 1 as const, retain: false };
  socket.write(generate({ cmd: 'connect', protocolVersion: 4, clean: true, keepalive, will, ...login }));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  if (answer[3] !== 0) throw new Error(`${serial} was refused.`);
  const filters = [telemetryAckTopic(serial), ...commandFilters(serial), platformTopic(serial)];
  const subscriptions = filters.map((topic) => ({ topic, qos: 1 as const }));
  socket.write(generate({ cmd: 'subscribe', messageId: 1, subscriptions }));
  await once(socket, 'data');
  sockets.push(socket);
}

const willOf = (): string => JSON.stringify({ online: false, timestamp: Date.now() });

async function openAll({ port, logins }: Order): Promise<number> {
  const waiting = logins.values();
  const lane = async (): Promise<void> => {
    for (const login of waiting) await open(port, login);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return sockets.length;
}

process.on('message', (order: Order) => void openAll(order).then((count) => process.send?.(count)));
process.on('disconnect', () => process.exit());
