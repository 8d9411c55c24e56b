import { latLngToCell } from 'h3-js';
import { dayMs } from '#contract/time.ts';
import { randomFrom } from '#sim/fleet/gateway.ts';
import type { Request } from '../measure/load.ts';
import { idOf } from '../registry/fill.ts';

export type World = {
  token: string;
  publicKey: string;
  sites: number;
  /** meters with readings of a day */
  kept: number;
};

// The mix of a hundred requests, as pages and integrations send them.
const shares = {
  me: 15,
  sites: 10,
  site: 20,
  der: 20,
  history: 12,
  cell: 10,
  challenge: 5,
  change: 5,
  create: 3,
};

type Kind = keyof typeof shares;

/** Returns this many requests in everyday proportions, in random order, each for another house. */
export function mixOf({ token, publicKey, sites, kept }: World, count: number): Request[] {
  const random = randomFrom(11);
  const below = (limit: number): number => Math.floor(random() * limit);
  const headers = { authorization: `Bearer ${token}` };
  const get = (path: string): Request => ({ method: 'GET', path, headers });
  const send = (method: string, path: string, body: object): Request => ({
    method,
    path,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const to = Date.now();
  const cell = latLngToCell(50, 5, 6); // the first place of the registry
  const make: Record<Kind, () => Request> = {
    me: () => get('/identity/me'),
    sites: () => get('/sites?limit=20'),
    site: () => get(`/sites/${idOf('sit', below(sites))}`),
    der: () => get(`/ders/${idOf('der', 5 * below(kept) + 3)}`),
    history: () =>
      get(`/ders/${idOf('der', 5 * below(kept) + 3)}/telemetry?from=${to - dayMs}&to=${to}&resolution=5m&fields=W`),
    cell: () => get(`/public/cells/${cell}/stats`),
    challenge: () => send('POST', '/auth/challenge', { public_key: publicKey }),
    change: () => send('PUT', `/sites/${idOf('sit', below(sites))}`, { fuse_a: 16 + below(20) }),
    create: () => send('POST', '/sites', { org_id: idOf('org', 0), name: 'House', latitude: 59.33, longitude: 18.07 }),
  };
  const kinds = (Object.keys(shares) as Kind[]).flatMap((kind) => Array<Kind>(shares[kind]).fill(kind));
  return Array.from({ length: count }, () => make[kinds[below(kinds.length)]!]());
}
