import { on } from 'node:events';
import { parentPort } from 'node:worker_threads';
import { openPrice } from './open-price.ts';

export type Asked = { type: string; body: string };
export type Told = { status: number; detail: string; cpuMs: number };

/** Requests bills from the price service of this thread, one after another, until it receives undefined. */
await using price = await openPrice();
for await (const [asked] of on(parentPort!, 'message') as AsyncIterable<[Asked | undefined]>) {
  if (!asked) break;
  const before = process.threadCpuUsage();
  const { status, body: problem } = await price.post('/price/bill?area=SE3', asked.body, asked.type);
  const { user, system } = process.threadCpuUsage(before);
  parentPort!.postMessage({ status, detail: problem.detail, cpuMs: (user + system) / 1000 } satisfies Told, []);
}
