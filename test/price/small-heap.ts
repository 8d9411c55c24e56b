import { on } from 'node:events';
import { parentPort } from 'node:worker_threads';
import { openPrice } from './open-price.ts';

export type Asked = { type: string; body: string };
export type Told = { status: number; detail: string; cpuMs: number };

/** Asks the price service of this thread for bills, one after the other, until it is told undefined. */
await using price = await openPrice();
for await (const [asked] of on(parentPort!, 'message') as AsyncIterable<[Asked | undefined]>) {
  if (!asked) break;
  const before = process.threadCpuUsage();
  const { status, body: problem } = await price.post('/price/bill?area=SE3', asked.body, asked.type);
  const { user, system } = process.threadCpuUsage(before);
  parentPort!.postMessage({ status, detail: problem.detail, cpuMs: (user + system) / 1000 } satisfies Told, []);
}
