import { openServer } from '../../attacks/edges/on-the-wire.ts';
import { openSlow, quickTimes } from '../../attacks/edges/slow-senders.ts';
import type { Outcome, Proof } from '../proof.ts';

const mostMs = 200;

/** With `places` the server has a bug: slow connections take the slots of others. */
async function askBeside(connections: number, requests: number, places?: number): Promise<Outcome> {
  await using server = await openServer();
  if (places !== undefined) server.app.server.maxConnections = places;
  using slow = await openSlow(server.port, connections);
  const times = await quickTimes(server.port, requests);
  const failed = times.filter((ms) => ms > mostMs).length;
  const p99 = times[Math.floor(requests * 0.99)]!.toFixed(1);
  return { tried: requests, failed, notes: [`${slow.count} slow connections: 99 of 100 requests within ${p99} ms`] };
}

export const slowSenders: Proof = {
  id: 'S28',
  what: `Requests beside up to 4000 slow connections that took longer than ${mostMs} ms`,
  full: 4000,
  seconds: 15,
  load: 'alone',
  attempt: (count) => askBeside(count, 1000),
  planted: () => askBeside(400, 20, 300),
};
