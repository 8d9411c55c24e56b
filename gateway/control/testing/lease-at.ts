import type { Command } from '../command.ts';
import { type Job, Lease, type Refresh } from '../lease.ts';

export const rules = { paceMs: 1000 };

export const refreshEvery = (everyMs: number): Refresh => ({
  parts: ['battery', 'pv'],
  everyMs,
  lostAfterMs: 3 * everyMs,
});

export const command = (changes: Partial<Command> = {}): Command => ({
  subject: 'battery',
  power_w: 1000,
  id: 'one',
  origin: 'cloud',
  issuedAt: 100,
  endsAt: 5000,
  ...changes,
});

/** Creates a lease; `work` performs the next job or returns when it is due, and `heard` lists the reported statuses. */
export function leaseAt(refreshMs?: number) {
  const heard: string[] = [];
  const refresh = refreshMs === undefined ? undefined : refreshEvery(refreshMs);
  const lease = new Lease({ ...rules, refresh }, ({ id }, { status }) => heard.push(`${id} ${status}`));
  const work = (now: number, failure?: string): Job['kind'] | number | undefined => {
    const next = lease.next(now);
    if (!next || 'at' in next) return next?.at;
    lease.finish(next, now, failure);
    return next.kind;
  };
  return { lease, heard, work };
}
