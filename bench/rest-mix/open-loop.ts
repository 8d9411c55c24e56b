// Sends requests when they are due, whether or not earlier ones were answered, and measures from when they were due.
import { Agent, request as ask } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from '../measure/load.ts';

export type Order = { url: string; requests: Request[]; perSecond: number; connections: number };

export type Waits = { p50Ms: number; p99Ms: number; longestMs: number; seconds: number; refused: number };

let agent: Agent | undefined; // its connections are kept between rounds

/** The time until the whole answer was received, and whether it succeeded. */
function send(url: string, { method, path, headers, body }: Request): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const sent = ask(url + path, { method, headers, agent: agent! }, (response) => {
      response.on('error', reject);
      response.on('end', () => resolve(response.statusCode! < 300));
      response.resume();
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function carryOut({ url, requests, perSecond, connections }: Order): Promise<Waits> {
  agent ??= new Agent({ keepAlive: true, maxSockets: connections });
  const everyMs = 1000 / perSecond;
  const waits: number[] = [];
  let refused = 0;
  const began = performance.now();
  const follow = async (request: Request, due: number): Promise<void> => {
    const isGood = await send(url, request);
    waits.push(performance.now() - due);
    if (!isGood) refused += 1;
  };
  const all: Promise<void>[] = [];
  while (all.length < requests.length) {
    const isDue = Math.floor((performance.now() - began) / everyMs) + 1;
    while (all.length < Math.min(isDue, requests.length)) {
      all.push(follow(requests[all.length]!, began + all.length * everyMs));
    }
    await sleep(1);
  }
  await Promise.all(all);
  const seconds = (performance.now() - began) / 1000;
  waits.sort((a, b) => a - b);
  const at = (share: number): number => waits[Math.ceil(share * waits.length) - 1]!;
  return { p50Ms: at(0.5), p99Ms: at(0.99), longestMs: at(1), seconds, refused };
}

process.on('message', (order: Order) => {
  void carryOut(order).then((waits) => process.send?.(waits));
});
process.on('disconnect', () => process.exit());
