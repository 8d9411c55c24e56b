// Gateways in a process of their own that reconnect when RabbitMQ closes their connection, as it does after two seconds
// without an answer about a client.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseGatewayTopic } from '#contract/topics.ts';
import { monotonicClock, systemClock } from '#lib/clock.ts';
import { FleetGateway } from '#sim/fleet/gateway.ts';
import { createLedger } from '#sim/fleet/ledger.ts';
import type { Login } from '../fleet/enrol.ts';

/** A request of the benchmark; the answer is the seconds it took. */
export type Order = { do: 'connect'; mqttUrl: string; logins: Login[] } | { do: 'publish'; each: number };

const atOnce = 4;
const lookMs = 5;
const gateways: FleetGateway[] = [];

function open({ serial, password, topic }: Login, mqttUrl: string): FleetGateway {
  const said = parseGatewayTopic(topic);
  if (said?.kind !== 'telemetry') throw new Error(`${topic} is not a telemetry topic.`);
  const options = {
    key: { serial, brokerToken: () => password },
    devices: [{ hardware_id: said.device, der: serial }],
    mqttUrl,
    ledger: createLedger(),
    clock: systemClock,
    stopwatch: monotonicClock,
    onAcknowledged: () => {},
  };
  return new FleetGateway(options, gateways.length);
}

/** Each publishes its first reading, which RabbitMQ asks the platform about. */
async function connect({ mqttUrl, logins }: Extract<Order, { do: 'connect' }>): Promise<void> {
  const waiting = logins.values();
  const lane = async (): Promise<void> => {
    for (const login of waiting) {
      const gateway = open(login, mqttUrl);
      gateways.push(gateway);
      gateway.connect();
      gateway.report();
      while (gateway.waiting > 0) await sleep(lookMs);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

/** Publishes this many readings of each, as fast as they are acknowledged. */
async function publish(each: number): Promise<void> {
  for (let count = 0; count < each; count++) for (const gateway of gateways) gateway.report();
  while (gateways.some(({ waiting }) => waiting > 0)) await sleep(lookMs);
}

process.on('message', (order: Order) => {
  const began = performance.now();
  const done = order.do === 'connect' ? connect(order) : publish(order.each);
  void done.then(() => process.send?.((performance.now() - began) / 1000));
});
process.on('disconnect', () => process.exit());
