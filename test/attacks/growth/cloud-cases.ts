import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { cloudRoutes } from '#contract/cloud/routes.ts';
import { dayMs } from '#contract/time.ts';
import { expectStatus, type TestCloud } from '../../cloud/open-cloud.ts';
import { nameOf } from './demands.ts';
import type { GrowthCase } from './measure.ts';
import { createCells, createHolding, createSite, type Holding } from './registry.ts';

const rows = 60; // 16 × as many fill the longest page

/** Lists, deletions, streams and everything else of the platform but history. */
export function cloudCases(cloud: TestCloud, holding: Holding): GrowthCase[] {
  const { owner, org } = holding;
  const made = new Map<number, Promise<Holding>>();
  const holdingOf = (size: number): Promise<Holding> => {
    if (!made.has(size)) made.set(size, createHolding(cloud, size));
    return made.get(size)!;
  };

  const pathOf = (path: string, held: Holding): string =>
    path
      .replace('{org_id}', held.org)
      .replace('{site_id}', held.site)
      .replace('{serial}', held.serial)
      .replace('{device_id}', held.device)
      .replace('{der_id}', held.der);

  /** A list of an organization: all of it, and a page of it, which costs the same however long the list is. */
  const lists = cloudRoutes
    .filter(({ paged, access }) => paged && access !== 'public')
    .flatMap((route): GrowthCase[] => {
      const ask = (what: string, limit: number, growth: GrowthCase['growth'] = 'linear'): GrowthCase => ({
        covers: [nameOf(route)],
        what,
        unit: 'rows',
        base: rows,
        growth,
        async prepare(size) {
          const held = await holdingOf(size);
          const url = `${pathOf(route.path, held)}?limit=${limit}`;
          return () => expectStatus(200, cloud.call('GET', url, { as: held.owner }));
        },
      });
      // A page across organizations asks each of them until the page is full.
      const isAcross = ['/sites', '/gateways'].includes(route.path);
      return [ask('all rows in one page', 1000), ask('20 rows of a list', 20, isAcross ? 'linear' : 'constant')];
    });

  const deletion = (
    route: string,
    what: string,
    unit: string,
    prepare: (size: number) => Promise<string>,
    base = 8,
  ): GrowthCase => ({
    covers: [route],
    what,
    unit,
    base,
    isSingleUse: true,
    async prepare(size) {
      const path = await prepare(size);
      return () => expectStatus(204, cloud.call('DELETE', path, { as: owner }));
    },
  });

  const deletions = [
    deletion('DELETE /sites/{site_id}', 'with its devices and their DERs', 'devices', async (size) => {
      const { site } = await createSite(cloud, holding, size);
      return `/sites/${site}?cascade=true`;
    }),
    deletion('DELETE /gateways/{serial}', 'with devices that become orphaned', 'devices', async (size) => {
      const { serial } = await createSite(cloud, holding, size);
      return `/gateways/${serial}`;
    }),
    deletion(
      'DELETE /organizations/{org_id}',
      'with its members',
      'members',
      async (size) => {
        const id = await cloud.organization(owner);
        await cloud.store.write(async ({ db }) => {
          const people = db.selectFrom('identities').where('id', '!=', owner.id).limit(size).select('id');
          for (const { id: identity_id } of await people.execute()) {
            await db
              .insertInto('members')
              .values({
                org_id: id,
                identity_id,
                role: 'viewer',
                joined_at: cloud.clock.now(),
                origin: 'added' as const,
              })
              .execute();
          }
        });
        return `/organizations/${id}`;
      },
      20,
    ),
    deletion(
      'DELETE /devices/{device_id}',
      'with its DERs',
      'DERs',
      async (size) => {
        const { site, serial } = await createSite(cloud, holding, 1);
        const ders = Array.from({ length: size }, (_, n) => ({ name: `pv${n}`, type: 'solar' }));
        const { id } = await cloud.provision(owner, site, serial, { hardware_id: 'NEW', ders });
        return `/devices/${id}`;
      },
      4,
    ),
  ];

  /** Opens a stream of a site and reads this many of its events. */
  async function openStream(site: string, { events = 0, headers = {} } = {}): Promise<{ destroy(): void }> {
    const { port } = cloud.app.addresses()[0] as AddressInfo;
    const asked = request({
      port,
      host: '127.0.0.1',
      path: `/stream/sites/${site}`,
      headers: { authorization: `Bearer ${owner.token}`, ...headers },
      agent: false,
    }).end();
    const [stream] = (await once(asked, 'response')) as [IncomingMessage];
    if (stream.statusCode !== 200) throw new Error(`stream: ${stream.statusCode}`);
    let read = 0;
    const { promise, resolve } = Promise.withResolvers<void>();
    stream.on('data', (chunk: Buffer) => {
      read += chunk.toString().split('data:').length - 1;
      if (read >= events) resolve();
    });
    if (events > 0) await promise;
    return asked;
  }
  const streams: { destroy(): void }[] = [];
  const closeStreams = (): void => {
    for (const stream of streams.splice(0)) stream.destroy();
  };

  const others: GrowthCase[] = [
    {
      covers: ['GET /stream/sites/{site_id}', 'DELETE /organizations/{org_id}/members/{identity_id}'],
      what: 'a member of another organization is removed while streams are open',
      unit: 'streams of others',
      base: 60,
      growth: 'constant',
      isSingleUse: true,
      async prepare(size) {
        closeStreams();
        const { site } = await createSite(cloud, holding, 1);
        for (let n = 0; n < size; n++) streams.push(await openStream(site));
        await settled();
        const stranger = await cloud.person();
        const elsewhere = await cloud.organization(stranger);
        const member = await cloud.member(stranger, elsewhere, 'viewer');
        const path = `/organizations/${elsewhere}/members/${member.id}`;
        return async () => {
          await expectStatus(204, cloud.call('DELETE', path, { as: stranger }));
          await settled();
        };
      },
    },
    {
      covers: ['GET /stream/sites/{site_id}'],
      what: 'the newest reading of every DER of a site',
      unit: 'devices',
      base: 20,
      async prepare(size) {
        const { site, ders } = await createSite(cloud, holding, size);
        const at = cloud.clock.now();
        await cloud.telemetry.append(
          ders.map(({ no }, n) => ({ der: no, at, received: at * 1000 + n, body: '{"W":1}' })),
        );
        return async () => (await openStream(site, { events: ders.length })).destroy();
      },
    },
    {
      covers: ['GET /stream/sites/{site_id}'],
      what: 'Last-Event-ID, readings that were missed',
      unit: 'readings',
      base: 100,
      async prepare(size) {
        const { site, ders } = await createSite(cloud, holding, 1);
        const now = cloud.clock.now();
        const der = ders[0]!.no;
        const sample = (n: number) => ({ der, at: now - n * 1000, received: now * 1000 - size + n, body: '{"W":1}' });
        await cloud.telemetry.append(Array.from({ length: size }, (_, n) => sample(n)));
        const headers = { 'last-event-id': String((now - dayMs) * 1000) };
        return async () => (await openStream(site, { events: size, headers })).destroy();
      },
    },
    {
      covers: ['POST /devices/provision', 'GET /devices/{device_id}'],
      what: 'a device with DERs',
      unit: 'DERs',
      base: 4,
      isSingleUse: true,
      async prepare(size) {
        const { site, serial } = await createSite(cloud, holding, 1);
        const ders = Array.from({ length: size }, (_, n) => ({ name: `pv${n}`, type: 'solar' }));
        return async () => {
          const { id } = await cloud.provision(owner, site, serial, { hardware_id: 'NEW', ders });
          await expectStatus(200, cloud.call('GET', `/devices/${id}`, { as: owner }));
        };
      },
    },
    {
      covers: ['POST /sites/{site_id}/release'],
      what: 'all DERs of a site',
      unit: 'devices',
      base: 8,
      async prepare(size) {
        const { site } = await createSite(cloud, holding, size);
        return () => expectStatus(202, cloud.call('POST', `/sites/${site}/release`, { as: owner }));
      },
    },
    {
      covers: ['GET /sites/{site_id}'],
      what: 'a site with devices',
      unit: 'devices',
      base: 20,
      async prepare(size) {
        const { site } = await createSite(cloud, holding, size);
        return () => expectStatus(200, cloud.call('GET', `/sites/${site}`, { as: owner }));
      },
    },
    {
      covers: ['GET /organizations/{org_id}/usage'],
      what: 'an organization with sites, gateways, devices and applications',
      unit: 'of each',
      base: rows,
      async prepare(size) {
        const held = await holdingOf(size);
        return () => expectStatus(200, cloud.call('GET', `/organizations/${held.org}/usage`, { as: held.owner }));
      },
    },
    {
      covers: ['GET /public/cells'],
      what: 'cells with a site',
      unit: 'cells',
      base: 60,
      isSingleUse: true,
      async prepare(size) {
        await cloud.store.write(({ db }) => db.deleteFrom('cells').execute());
        await createCells(cloud, holding, size, true);
        return () => expectStatus(200, cloud.call('GET', '/public/cells'));
      },
    },
    {
      covers: ['GET /public/cells/{h3_index}/stats'],
      what: 'sites of one cell',
      unit: 'sites',
      base: 60,
      async prepare(size) {
        const cell = await createCells(cloud, holding, size, false);
        return () => expectStatus(200, cloud.call('GET', `/public/cells/${cell}/stats`));
      },
    },
    {
      covers: ['POST /organizations/{org_id}/oauth-clients'],
      what: 'redirect addresses of an application',
      unit: 'addresses',
      base: 1,
      async prepare(size) {
        const redirect_uris = Array.from({ length: size }, (_, n) => `https://${'a'.repeat(1900)}.example/${n}`);
        const body = { name: 'New', redirect_uris, confidential: true };
        return () => cloud.call('POST', `/organizations/${org}/oauth-clients`, { as: owner, body });
      },
    },
    {
      covers: ['Idempotency-Key'],
      what: 'keys that one caller has used before',
      unit: 'keys',
      base: 20,
      growth: 'constant',
      async prepare(size) {
        const as = await cloud.member(owner, org, 'viewer');
        const { site } = await createSite(cloud, holding, 1);
        const request = { as, body: { site_id: site } };
        const create = (key: string) =>
          expectStatus(201, cloud.call('POST', '/stream/tickets', { ...request, headers: { 'idempotency-key': key } }));
        for (let n = 0; n < size; n++) await create(`key-${n}`);
        return () => create('key-0');
      },
    },
  ];

  /** The parts of a request that come before its body. */
  const heads = (
    [
      ['parameters of a query', (bytes) => ({ url: `/sites?${'limit=1&'.repeat(bytes / 8)}` })],
      [
        'an invalid token',
        (bytes) => ({ url: '/sites', headers: { authorization: `Bearer ${'x.'.repeat(bytes / 2)}` } }),
      ],
      ['cookies', (bytes) => ({ url: '/sites', headers: { cookie: 'a=b;'.repeat(bytes / 4) } })],
      ['levels of a path', (bytes) => ({ url: '/a'.repeat(bytes / 2) })],
      ['encoded characters of a path', (bytes) => ({ url: `/sites/${'%61'.repeat(bytes / 3)}` })],
    ] satisfies [string, (bytes: number) => { url: string; headers?: Record<string, string> }][]
  ).map(
    ([what, requestOf]): GrowthCase => ({
      covers: ['request line and headers'],
      what,
      unit: 'bytes',
      base: 900, // 16 × as many are just below what Node.js reads
      async prepare(size) {
        const { url, headers = {} } = { headers: undefined, ...requestOf(size) };
        return () => cloud.app.inject({ method: 'GET', url, headers });
      },
    }),
  );

  const bills = ['bill', 'savings', 'carbon'].map(
    (name): GrowthCase => ({
      covers: [`GET /sites/{site_id}/${name}`],
      what: 'a range of days',
      unit: 'days',
      base: 25, // 16 × as many are the most that a bill may have
      async prepare(days) {
        const path = `/sites/${holding.site}`;
        await expectStatus(200, cloud.call('PUT', path, { as: owner, body: { price_area: 'SE3' } }));
        const to = Math.floor(cloud.clock.now() / dayMs) * dayMs;
        const url = `${path}/${name}?from=${to - days * dayMs}&to=${to}`;
        return () => expectStatus(200, cloud.call('GET', url, { as: owner }));
      },
    }),
  );

  return [...lists, ...deletions, ...others, ...heads, ...bills];
}

/** Effects of a change follow after its answer: waits until this process is idle. */
async function settled(): Promise<void> {
  for (let busyMs = Number.POSITIVE_INFINITY; busyMs > 1; ) {
    const began = process.cpuUsage();
    await sleep(10);
    const { user, system } = process.cpuUsage(began);
    busyMs = (user + system) / 1000;
  }
}
