import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { latLngToCell } from 'h3-js';
import { onEachEngine } from '#test/cloud/on-each-engine.ts';
import { openCloud, type TestCloud } from '#test/cloud/open-cloud.ts';

const places = [
  { latitude: 59.33, longitude: 18.07 },
  { latitude: 57.71, longitude: 11.97 },
  { latitude: 55.6, longitude: 13.0 },
];

onEachEngine('public cells', async (cloud) => {
  const ada = await cloud.person();

  const cells = async (query = '') => (await cloud.call('GET', `/public/cells${query}`)).body.cells;

  test('a site counts in its cell without revealing its id or position', async () => {
    const org = await cloud.organization(ada);
    const site = await cloud.site(ada, org, places[0]);
    const gateway = await cloud.claim(ada, org);
    await cloud.provision(ada, site, gateway.serial);
    const h3_index = latLngToCell(59.33, 18.07, 6);
    const text = JSON.stringify(await cells());
    const [cell] = await cells();
    assert.deepEqual(
      { ...cell, center_lat: 0, center_lng: 0 },
      { h3_index, center_lat: 0, center_lng: 0, site_count: 1, der_types: ['battery', 'solar'] },
    );
    assert.ok(Math.abs(cell.center_lat - 59.33) < 0.1);
    assert.ok(!text.includes(site) && !text.includes('59.33,') && !text.includes(org));
    await cloud.call('DELETE', `/sites/${site}?cascade=true`, { as: ada });
    assert.deepEqual(await cells(), []);
  });

  test('cells come all at once, or in pages', async () => {
    const org = await cloud.organization(ada);
    for (const place of places) await cloud.site(ada, org, place);
    const all = await cells();
    assert.equal(all.length, 3);
    const first = await cloud.call('GET', '/public/cells?limit=2');
    const next = String(first.headers.link).match(/<(.+)>/)![1]!;
    const second = await cloud.call('GET', next);
    assert.deepEqual([...first.body.cells, ...second.body.cells], all);
    assert.equal(second.headers.link, undefined);
  });

  test('the counts stay true through any history of sites, moves, devices, releases and deletions', async () => {
    const org = await cloud.organization(ada);
    const step = fc.oneof(
      fc.record({ do: fc.constant('create' as const), place: fc.nat(places.length) }),
      fc.record({ do: fc.constant('move' as const), site: fc.nat(9), place: fc.nat(places.length) }),
      fc.record({ do: fc.constant('provision' as const), site: fc.nat(9), hardware: fc.nat(3) }),
      fc.record({ do: fc.constant('release' as const) }),
      fc.record({ do: fc.constant('delete' as const), site: fc.nat(9) }),
    );
    const placeAt = (index: number) => places[index] ?? { latitude: null, longitude: null };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 14 }), async (steps) => {
        let gateway = await cloud.claim(ada, org);
        const sites: string[] = [];
        for (const action of steps) {
          cloud.clock.advance(1000);
          const site = 'site' in action ? sites[action.site % (sites.length || 1)] : undefined;
          if (action.do === 'create') sites.push(await cloud.site(ada, org, placeAt(action.place)));
          if (action.do === 'release') {
            await cloud.call('DELETE', `/gateways/${gateway.serial}`, { as: ada });
            gateway = await cloud.claim(ada, org);
          }
          if (!site) continue;
          if (action.do === 'move') await cloud.call('PUT', `/sites/${site}`, { as: ada, body: placeAt(action.place) });
          if (action.do === 'provision')
            await cloud.provision(ada, site, gateway.serial, { hardware_id: `H${action.hardware}` });
          if (action.do === 'delete') {
            await cloud.call('DELETE', `/sites/${site}?cascade=true`, { as: ada });
            sites.splice(sites.indexOf(site), 1);
          }
        }
        assert.deepEqual(await counted(cloud), await recounted(cloud));
        for (const site of sites) await cloud.call('DELETE', `/sites/${site}?cascade=true`, { as: ada });
      }),
      { numRuns: 25 },
    );
  });
});

type Count = Record<string, Record<string, number>>;

async function counted({ store }: TestCloud): Promise<Count> {
  const count: Count = {};
  for (const { h3_index, site_count } of await store.db.selectFrom('cells').selectAll().execute())
    count[h3_index] = { sites: site_count };
  for (const { h3_index, der_type, der_count } of await store.db.selectFrom('cell_ders').selectAll().execute())
    count[h3_index]![der_type] = der_count;
  return count;
}

async function recounted({ store }: TestCloud): Promise<Count> {
  const count: Count = {};
  const cellOf = new Map<string, string>();
  for (const { id, cell } of await store.db.selectFrom('sites').selectAll().execute()) {
    if (!cell) continue;
    cellOf.set(id, cell);
    count[cell] ??= { sites: 0 };
    count[cell].sites!++;
  }
  const ders = await store.db
    .selectFrom('ders')
    .innerJoin('devices', 'devices.id', 'ders.device_id')
    .where('state', '!=', 'orphaned')
    .select(['site_id', 'ders.type'])
    .execute();
  for (const { site_id, type } of ders) {
    const cell = cellOf.get(site_id);
    if (cell) count[cell]![type] = (count[cell]![type] ?? 0) + 1;
  }
  return count;
}

test('with PUBLIC_MIN_SITES a cell of fewer sites is not shown', async () => {
  const cloud = await openCloud({ env: { PUBLIC_MIN_SITES: '2' } });
  try {
    const ada = await cloud.person();
    const org = await cloud.organization(ada);
    const rules = (await cloud.call('GET', '/public/rules')).body;
    assert.deepEqual(rules, { min_sites: 2, totals_interval_s: 900 });
    await cloud.site(ada, org, places[0]);
    assert.deepEqual((await cloud.call('GET', '/public/cells')).body.cells, []);
    const second = await cloud.site(ada, org, places[0]);
    const [{ h3_index, site_count }] = (await cloud.call('GET', '/public/cells')).body.cells;
    assert.equal(site_count, 2);
    const statusOfStats = async () => (await cloud.call('GET', `/public/cells/${h3_index}/stats`)).status;
    assert.equal(await statusOfStats(), 200);
    await cloud.call('DELETE', `/sites/${second}`, { as: ada });
    assert.equal(await statusOfStats(), 404);
    assert.deepEqual((await cloud.call('GET', '/public/cells')).body.cells, []);
  } finally {
    await cloud.close();
  }
});

test('the types that provisioning takes are the types that are published', async () => {
  const cloud = await openCloud();
  try {
    const types = (await cloud.call('GET', '/public/der-types')).body;
    assert.deepEqual(
      types.map(({ id }: { id: string }) => id),
      ['solar', 'battery', 'meter', 'ev_charger_port', 'load'],
    );
    const fields = (await cloud.call('GET', '/public/telemetry-fields')).body;
    assert.deepEqual(
      fields.map(({ index }: { index: number }) => index),
      [...fields.keys()],
    );
    for (const type of types) {
      assert.equal(type.schema_version, '1');
      for (const index of type.telemetry_schema) assert.ok(fields[index], `${type.id} names a field ${index}`);
    }
    const one = await cloud.call('GET', '/public/der-types/battery');
    assert.deepEqual(one.body, types[1]);
    assert.equal((await cloud.call('GET', '/public/der-types/wind')).status, 404);
    const devices = (await cloud.call('GET', '/public/device-types')).body;
    assert.deepEqual(devices.find(({ id }: { id: string }) => id === 'meter').allowed_der_types, ['load', 'meter']);
    const first = await cloud.call('GET', '/public/der-types');
    const again = await cloud.call('GET', '/public/der-types', {
      headers: { 'if-none-match': String(first.headers.etag) },
    });
    assert.equal(again.status, 304);
  } finally {
    await cloud.close();
  }
});

for (const path of ['/public/der-types', '/public/device-types']) {
  test(`${path} can be read page by page`, async () => {
    const cloud = await openCloud();
    try {
      const all = (await cloud.call('GET', path)).body;
      const read: unknown[] = [];
      for (let next: string | undefined = `${path}?limit=2`; next; ) {
        const { body, headers } = await cloud.call('GET', next);
        assert.ok(body.length <= 2);
        read.push(...body);
        next = /^<(.+)>; rel="next"$/.exec(String(headers.link))?.[1];
      }
      assert.deepEqual(read, all);
      for (const query of ['limit=0', 'limit=1001', 'cursor=bm93aGVyZQ']) {
        assert.equal((await cloud.call('GET', `${path}?${query}`)).status, 400, query);
      }
    } finally {
      await cloud.close();
    }
  });
}
