import { setTimeout as sleep } from 'node:timers/promises';
import type { Login } from '../fleet/enrol.ts';
import { startGenerator } from '../fleet/start-generator.ts';
import { startChild } from '../measure/child.ts';
import { findInstalled } from '../peers/installed.ts';
import { startMosquitto } from '../peers/mosquitto.ts';
import type { Consumed } from './consumer.ts';
import { type Cost, costOf } from './cost.ts';

const patienceMs = 60_000;

/** Measures the same load through Mosquitto, until a consumer has counted it; undefined when it is not installed. */
export async function mosquittoContender(
  folder: string,
  open: AsyncDisposableStack,
  { logins, each }: { logins: Login[]; each: number },
): Promise<(() => Promise<Cost>) | undefined> {
  const file = findInstalled('mosquitto', 'mosquitto');
  if (!file) return undefined;
  const broker = open.use(await startMosquitto(file, folder));
  const consumer = open.use(startChild(import.meta.resolve('./consumer.ts'), { args: [broker.mqttUrl!] }));
  await consumer.answer<Consumed>();
  const generator = open.use(await startGenerator(broker, logins));

  const consumed = (): Promise<Consumed> => consumer.ask<Consumed>('count');
  async function used() {
    const [own, its] = [await broker.usage(), await consumed()];
    return { cpuUs: own.cpuUs + its.cpuUs, loopUs: own.loopUs + its.loopUs };
  }
  async function publish(): Promise<number> {
    const due = (await consumed()).count + each * logins.length;
    const until = performance.now() + patienceMs;
    const { messages } = await generator.publish(each);
    while ((await consumed()).count < due) {
      if (performance.now() > until) throw new Error('The consumer of Mosquitto did not get all messages.');
      await sleep(5);
    }
    return messages;
  }
  return () => costOf(used, publish);
}
