// The gateways of a fleet in a process of their own.
import { setTimeout as sleep } from 'node:timers/promises';
import { createMeter } from '#sim/fleet/gateway.ts';
import type { Login } from './enrol.ts';
import { Gateway } from './gateway.ts';

/** A request of the benchmark; the answer is the measured cost. */
export type Order =
  | { do: 'login'; port: number; logins: Login[]; atOnce: number }
  | { do: 'publish'; each: number }
  | { do: 'pace'; perSecond: number; seconds: number; together: number };

export type Done = { seconds: number; messages: number };

const tickMs = 10;
const meter = createMeter(1);
const bodies = Array.from({ length: 40 }, () => meter.read(Date.now()));
const gateways: Gateway[] = [];

async function login({ port, logins, atOnce }: Extract<Order, { do: 'login' }>): Promise<number> {
  const waiting = logins.values();
  const lane = async (): Promise<void> => {
    for (const each of waiting) gateways.push(await Gateway.login(port, each, bodies));
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return 0;
}

async function publish({ each }: Extract<Order, { do: 'publish' }>): Promise<number> {
  await Promise.all(gateways.map((gateway) => gateway.publish(each)));
  return each * gateways.length;
}

/** Publishes this many messages of each gateway in turn, evenly over time, without waiting for acknowledgements. */
async function pace({ perSecond, seconds, together }: Extract<Order, { do: 'pace' }>): Promise<number> {
  const began = performance.now();
  let sent = 0;
  for (let due = 0; due < perSecond * seconds; await sleep(tickMs)) {
    due = Math.min(((performance.now() - began) * perSecond) / 1000, perSecond * seconds);
    for (; sent < due; sent += together) gateways[(sent / together) % gateways.length]!.send(together);
  }
  return sent;
}

const carryOut = (order: Order): Promise<number> =>
  order.do === 'login' ? login(order) : order.do === 'publish' ? publish(order) : pace(order);

process.on('message', (order: Order) => {
  const began = performance.now();
  void carryOut(order).then((messages) =>
    process.send?.({ seconds: (performance.now() - began) / 1000, messages } satisfies Done),
  );
});
process.on('disconnect', () => process.exit());
