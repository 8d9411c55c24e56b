import { setTimeout as sleep } from 'node:timers/promises';
import { createMeter } from '#sim/fleet/gateway.ts';
import { connectOnce } from '#test/cloud/gateway-client.ts';
import type { Login } from '../fleet/enrol.ts';
import { startGenerator } from '../fleet/start-generator.ts';
import { startChild } from '../measure/child.ts';
import type { OwnServer } from '../measure/server-process.ts';
import type { Order } from './reconnecting-gateways.ts';

export type Failover = {
  /** seconds from the death of the node until all its gateways are connected to the other */
  backSeconds: number;
  /** publish to acknowledgement of the gateways of the other node, p99 in ms */
  beforeMs: number;
  meanwhileMs: number;
};

const probeMs = 20;
const calmSeconds = 10;
const perSecond = 1000;
const maxSeconds = 60;

type Fleets = { moving: Login[]; staying: Login[]; probing: Login };

/** Kills the first node, whose gateways connect to the second. Others publish there all the time. */
export async function measureFailover(
  [dying, other]: readonly [OwnServer, OwnServer],
  { moving, staying, probing }: Fleets,
): Promise<Failover> {
  await using fleet = startChild(import.meta.resolve('./reconnecting-gateways.ts'));
  const order = (what: Order): Promise<number> => fleet.ask<number>(what);
  const portOf = ({ mqttUrl }: OwnServer): number => Number(new URL(mqttUrl!).port);
  await order({ do: 'connect', ports: [portOf(dying), portOf(other)], logins: moving });
  await using generator = await startGenerator(other, staying);

  const pacing = generator.pace(perSecond, calmSeconds);
  const beforeMs = await probe(other, probing, pacing);
  const load = generator.pace(perSecond, maxSeconds).catch(() => {}); // ends with its process
  await dying.kill();
  const waiting = order({ do: 'wait' });
  const meanwhileMs = await probe(other, probing, waiting);
  void load;
  return { backSeconds: await waiting, beforeMs, meanwhileMs };
}

/** Publishes one reading after the other until the end, and returns the p99 of the time to an acknowledgement. */
async function probe({ mqttUrl }: OwnServer, login: Login, end: Promise<unknown>): Promise<number> {
  const { serial, password, topic } = login;
  const client = await connectOnce(mqttUrl!, { clientId: serial, username: serial, password, protocolVersion: 4 });
  const meter = createMeter(2);
  const waitsMs: number[] = [];
  const over = new AbortController();
  void end.then(() => over.abort());
  for (; !over.signal.aborted; await sleep(probeMs)) {
    const began = performance.now();
    await client.publishAsync(topic, meter.read(Date.now()), { qos: 1 });
    waitsMs.push(performance.now() - began);
  }
  await client.endAsync();
  return waitsMs.sort((a, b) => a - b)[Math.floor(waitsMs.length * 0.99)]!;
}
