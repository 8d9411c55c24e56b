import { once } from 'node:events';
import autocannon from 'autocannon';
import { median } from './median.ts';
import type { ServerProcess } from './server-process.ts';

export type Request = { method: string; path: string; headers: Record<string, string>; body?: string };

/** The cost of a request: CPU time of the server process, and response time. */
export type Cost = { cpuUs: number; waitMs: number };

type LoadOptions = {
  amount: number;
  connections: number;
  /** with 304, no other status is accepted */
  status?: 200 | 304;
};

const longestMs = 60_000;

/** Sends the requests in turn, over a few connections that wait for each answer, until `amount` are answered. */
export async function load(
  server: ServerProcess,
  requests: Request[],
  { amount, connections, status = 200 }: LoadOptions,
): Promise<Cost> {
  const waits: number[] = [];
  const statuses = new Set<number>();
  const before = await server.cpuUs();
  const run = autocannon({ url: server.url, requests, connections, amount, bailout: 1, sampleInt: 20 });
  run.on('response', (_client, status: number, _bytes, waitMs: number) => {
    statuses.add(status);
    waits.push(waitMs);
  });
  const timer = setTimeout(() => run.stop(), longestMs);
  await once(run, 'done');
  clearTimeout(timer);
  const after = await server.cpuUs();
  if (waits.length < amount || [...statuses].some((found) => (status === 304 ? found !== status : found >= 300))) {
    const what = `${requests[0]!.method} ${requests[0]!.path}`;
    throw new Error(`${what}: ${waits.length} of ${amount} answers, with status ${[...statuses].join(', ')}`);
  }
  return { cpuUs: (after - before) / amount, waitMs: median(waits) };
}
