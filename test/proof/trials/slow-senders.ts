import { openServer } from '../../attacks/edges/on-the-wire.ts';
import { openSlow, quickTimes } from '../../attacks/edges/slow-senders.ts';
import type { Proof } from '../proof.ts';

const requests = 1000;
const mostMs = 200;

export const slowSenders: Proof = {
  id: 'S28',
  what: `Requests beside up to 4000 slow connections that took longer than ${mostMs} ms`,
  full: 4000,
  seconds: 15,
  async attempt(count) {
    await using server = await openServer();
    using slow = await openSlow(server.port, count);
    const times = await quickTimes(server.port, requests);
    const failed = times.filter((ms) => ms > mostMs).length;
    const p99 = times[requests * 0.99]!.toFixed(1);
    return { tried: requests, failed, notes: [`${slow.count} slow connections: 99 of 100 requests within ${p99} ms`] };
  },
};
