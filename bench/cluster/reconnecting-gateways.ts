// Gateways that reconnect to the next address when their connection ends, as behind a balancer.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connackBytes, connectPacket } from '#sim/fleet/gateway.ts';
import type { Login } from '../fleet/enrol.ts';

/** A request of the benchmark; the answer is the seconds until all were connected, the second time to the last port. */
export type Order = { do: 'connect'; ports: number[]; logins: Login[] } | { do: 'wait' };

const atOnce = 50;
const minReconnectMs = 500; // as FleetGateway
const maxReconnectMs = 10_000;
const lookMs = 10;
let total = 0;
let back = 0; // connected to the last port
let lostAt: number | undefined;

/** Connects, and resolves with the time when the connection ended; undefined if it was never accepted. */
function open(port: number, login: Login, onAccepted: () => void): Promise<boolean> {
  return new Promise((resolve) => {
    let isAccepted = false;
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.on('error', () => {}).on('close', () => resolve(isAccepted));
    socket.write(connectPacket(login));
    socket.once('data', (answer: Buffer) => {
      if (answer.length < connackBytes || answer[3] !== 0) return socket.destroy();
      isAccepted = true;
      onAccepted();
    });
  });
}

const pauseAfter = (failures: number): Promise<void> =>
  sleep(Math.random() * Math.min(maxReconnectMs, minReconnectMs * 2 ** failures));

async function hold([first, second]: number[], login: Login, onFirst: () => void): Promise<void> {
  for (let failures = 0; !(await open(first!, login, onFirst)); failures++) await pauseAfter(failures);
  lostAt ??= performance.now();
  for (let failures = 0; ; failures++) {
    await pauseAfter(failures);
    const wasBack = await open(second!, login, () => back++);
    if (!wasBack) continue;
    back--;
    failures = -1;
  }
}

async function connectAll({ ports, logins }: Extract<Order, { do: 'connect' }>): Promise<void> {
  total = logins.length;
  const waiting = logins.values();
  const lane = async (): Promise<void> => {
    for (const login of waiting) await new Promise<void>((resolve) => void hold(ports, login, resolve));
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

const isAllBack = (): boolean => back === total;

async function carryOut(order: Order): Promise<number> {
  const began = performance.now();
  if (order.do === 'connect') await connectAll(order);
  else while (!isAllBack()) await sleep(lookMs);
  return (performance.now() - (order.do === 'wait' ? (lostAt ?? began) : began)) / 1000;
}

process.on('message', (order: Order) => void carryOut(order).then((seconds) => process.send?.(seconds)));
process.on('disconnect', () => process.exit());
