import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { amount } from '#test/amount.ts';
import { openCloud, type Person, type TestCloud } from '#test/cloud/open-cloud.ts';
import { p256 } from '#test/cloud/people.ts';
import { SqliteDb } from './prepared.ts';
import { markSilentOffline, saveDevicesSeen, saveGatewayPresence } from './presence.ts';

type Street = Awaited<ReturnType<typeof settle>>;

/** Creates two organizations with a site each, an owner, a member that is added and removed, and an outsider. */
async function settle(cloud: TestCloud) {
  const ada = await cloud.person();
  const bob = await cloud.person();
  const eve = await cloud.person();
  const orgs = [await cloud.organization(ada), await cloud.organization(ada)];
  const secret = await cloud.invite(ada, await cloud.organization(ada), 'viewer');
  await cloud.call('POST', `/invitations/${secret}/accept`, { as: bob }); // so that Ada can add him to other organizations
  const sites: string[] = [];
  const devices: string[] = [];
  const ders: string[] = [];
  const gateways = [];
  for (const org of orgs) {
    const site = await cloud.site(ada, org, { latitude: 59.3, longitude: 18 });
    const gateway = await cloud.claim(ada, org);
    const device = await cloud.provision(ada, site, gateway.serial, { hardware_id: 'INV' });
    sites.push(site);
    gateways.push(gateway);
    devices.push(device.id);
    ders.push(...device.ders.map(({ id }: { id: string }) => id));
  }
  return { ada, people: [ada, bob, eve], bob, orgs, sites, gateways, devices, ders };
}

/** Random changes; the two numbers choose the objects. */
const moves: Record<string, (cloud: TestCloud, street: Street, a: number, b: number) => Promise<unknown>> = {
  join: ({ call }, { ada, bob, orgs }, a, b) =>
    call('POST', `/organizations/${at(orgs, a)}/members`, {
      as: ada,
      body: { identity_id: bob.id, role: at(['viewer', 'operator', 'admin'], b) },
    }),
  'take another role': ({ call }, { ada, bob, orgs }, a, b) =>
    call('PUT', `/organizations/${at(orgs, a)}/members/${bob.id}`, {
      as: ada,
      body: { role: at(['viewer', 'operator', 'admin'], b) },
    }),
  leave: ({ call }, { ada, bob, orgs }, a) =>
    call('DELETE', `/organizations/${at(orgs, a)}/members/${bob.id}`, { as: ada }),
  'change a site': ({ call }, { ada, sites }, a, b) =>
    call('PUT', `/sites/${at(sites, a)}`, { as: ada, body: { name: `House ${b}`, fuse_a: 16 + b } }),
  'make a site': async ({ site }, { ada, orgs, sites }, a) => sites.push(await site(ada, at(orgs, a))),
  'delete a site': ({ call }, { ada, sites }, a) => call('DELETE', `/sites/${at(sites, a)}?cascade=true`, { as: ada }),
  'rename a device': ({ call }, { ada, devices }, a, b) =>
    call('PUT', `/devices/${at(devices, a)}`, { as: ada, body: { name: `Roof ${b}` } }),
  'add a DER': async ({ call }, { ada, devices, ders }, a, b) => {
    const body = { name: `extra-${b}`, type: 'battery' };
    const { status, body: made } = await call('POST', `/devices/${at(devices, a)}/ders`, { as: ada, body });
    if (status === 201) ders.push(made.id);
  },
  'delete a device': ({ call }, { ada, devices }, a) => call('DELETE', `/devices/${at(devices, a)}`, { as: ada }),
  provision: async ({ call }, { ada, sites, gateways, devices }, a, b) => {
    const body = {
      gateway_serial: at(gateways, a).serial,
      hardware_id: at(['INV', 'MTR'], b),
      device_type: 'inverter',
      site_id: at(sites, b),
      ders: [{ name: 'pv', type: 'solar' }],
    };
    const reply = await call('POST', '/devices/provision', { as: ada, body });
    if (reply.status === 201) devices.push(reply.body.id);
  },
  'claim a gateway elsewhere': ({ claim, clock }, { ada, orgs, gateways }, a, b) => {
    clock.advance(2000);
    return claim(ada, at(orgs, b), at(gateways, a));
  },
  'claim another gateway': async ({ claim }, { ada, orgs, gateways }, a) =>
    gateways.push(await claim(ada, at(orgs, a), p256())),
  'be heard': ({ store, clock }, { devices }, a) =>
    store.write(({ db }) => saveDevicesSeen(db, [at(devices, a)], clock.now() + a)),
  'come or go': ({ store, clock }, { gateways }, a, b) =>
    store.write(({ db }) => saveGatewayPresence(db, [at(gateways, a).serial], b % 2 === 0, clock.now() + a)),
  'be silent': ({ store, clock }) =>
    store.write(({ db }) => markSilentOffline(db, { gateway: clock.now() + 1, device: clock.now() + 1 })),
};

const at = <T>(list: readonly T[], number: number): T => list[number % list.length]!;

const readsOf = ({ orgs, sites, devices, ders, gateways }: Street): string[] => [
  '/sites',
  '/sites?limit=1',
  ...orgs.flatMap((id) => [`/sites?org_id=${id}`, `/organizations/${id}`]),
  ...sites.slice(-4).flatMap((id) => [`/sites/${id}`, `/sites/${id}/devices`]),
  ...devices.slice(-4).map((id) => `/devices/${id}`),
  ...ders.slice(-4).map((id) => `/ders/${id}`),
  ...gateways.slice(-3).map(({ serial }) => `/gateways/${serial}`),
];

async function answer(cloud: TestCloud, as: Person, path: string): Promise<unknown> {
  const { status, body, headers } = await cloud.call('GET', path, { as });
  return [status, status === 200 ? body : body.error, headers.etag, headers.link, headers['content-type']];
}

test('every answer is the same with and without the cache, after any write', async () => {
  const cloud = await openCloud({ env: { RATE_ORDINARY: '1000000' } });
  const street = await settle(cloud);
  const { db } = cloud.store;
  assert.ok(db instanceof SqliteDb && db.cache);
  const { cache } = db;
  let atOnce = 0;
  const counting = Object.assign(Object.create(null), {
    getOrLoad: (key: string, make: () => Promise<unknown>) => {
      const known = cache.getOrLoad(key, make);
      if (!(known instanceof Promise)) atOnce += 1;
      return known;
    },
  });
  const names = Object.keys(moves);
  const steps = fc.sample(fc.tuple(fc.nat(7), fc.nat(7)), { numRuns: amount(4 * names.length), seed: 7 });
  for (const [index, [a, b]] of steps.entries()) {
    const name = at(names, index);
    const warm = at(readsOf(street), a + b);
    db.cache = counting;
    // Requests that overlap the write must not leave outdated answers in the cache.
    await Promise.all([
      answer(cloud, street.ada, warm),
      moves[name]!(cloud, street, a, b),
      answer(cloud, street.bob, warm),
    ]);
    for (const person of street.people) {
      for (const path of readsOf(street)) {
        db.cache = counting;
        const told = await answer(cloud, person, path);
        db.cache = undefined;
        assert.deepEqual(told, await answer(cloud, person, path), `${path} after somebody did ${name}`);
      }
    }
  }
  db.cache = cache;
  assert.ok(atOnce > amount(500), `only ${atOnce} came from the cache`);
  await cloud.close();
});
