import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultPlanGoals } from '#contract/cloud/plans.ts';
import { onEachEngine } from '#test/cloud/on-each-engine.ts';
import { p256 } from '#test/cloud/people.ts';

onEachEngine('the goals of plans', async (cloud) => {
  const ada = await cloud.person();
  const org = await cloud.organization(ada);
  const site = await cloud.site(ada, org);
  const gateway = p256();
  await cloud.claim(ada, org, gateway);
  const ders = [
    { name: 'battery', type: 'battery' },
    { name: 'car', type: 'ev_charger_port' },
  ];
  const battery = await cloud.provision(ada, site, gateway.serial, {
    hardware_id: 'BAT',
    device_type: 'battery',
    ders: ders.slice(0, 1),
  });
  const charger = await cloud.provision(ada, site, gateway.serial, {
    hardware_id: 'CAR',
    device_type: 'ev_charger',
    ders: ders.slice(1),
  });
  const [batteryDer, carDer] = [battery.ders[0].id, charger.ders[0].id];
  const path = `/sites/${site}/plan/goals`;
  const get = async () => (await cloud.call('GET', path, { as: ada })).body;
  const put = (body: unknown, headers: Record<string, string> = {}) =>
    cloud.call('PUT', path, { as: ada, body, headers });
  const car = { der_id: carDer, target_pct: 80, by: '07:00', days: [1, 2, 3, 4, 5] };

  test('are off until somebody switches them on', async () => {
    assert.deepEqual(await get(), { site_id: site, ...defaultPlanGoals });
    assert.deepEqual((await cloud.call('GET', `/sites/${site}/plan`, { as: ada })).body, {
      site_id: site,
      status: 'off',
      mode: 'off',
      message: null,
      plan: null,
      progress: null,
    });
  });

  test('keep the fields that a change leaves out', async () => {
    assert.equal((await put({ mode: 'show', cars: [car] })).status, 200);
    const changed = await put({ reserve_pct: 20, max_import_w: 6000 });
    const expected = {
      site_id: site,
      ...defaultPlanGoals,
      mode: 'show',
      cars: [car],
      reserve_pct: 20,
      max_import_w: 6000,
    };
    assert.deepEqual([changed.body, await get()], [expected, expected]);
    assert.equal((await cloud.call('GET', `/sites/${site}/plan`, { as: ada })).body.status, 'waiting');
  });

  test('are replaced only if they are still those that were read', async () => {
    const { headers } = await cloud.call('GET', path, { as: ada });
    const etag = String(headers.etag);
    assert.equal((await put({ reserve_pct: 15 }, { 'if-match': etag })).status, 200);
    assert.equal((await put({ reserve_pct: 25 }, { 'if-match': etag })).status, 412);
    assert.equal((await put(await get())).status, 200); // what was read may be sent back
  });

  for (const { says, change, status, field } of [
    { says: 'a car that is a battery', change: { cars: [{ ...car, der_id: batteryDer }] }, field: 'cars.0.der_id' },
    { says: 'an unknown car', change: { cars: [car, { ...car, der_id: 'der_x' }] }, field: 'cars.1.der_id' },
    {
      says: 'a departure that is listed twice',
      change: { cars: [car, { ...car, days: [5, 6] }] },
      field: 'cars.1.days',
    },
    {
      says: 'an hour that does not exist',
      change: { cars: [{ ...car, by: '24:00' }] },
      status: 400,
      field: 'cars.0.by',
    },
    {
      says: 'a least power above the highest',
      change: { storages: [{ der_id: carDer, charge_w: 1000, charge_min_w: 1400 }] },
      field: 'storages.0.charge_min_w',
    },
    {
      says: 'a storage that is listed twice',
      change: { storages: [{ der_id: carDer }, { der_id: carDer }] },
      field: 'storages.1.der_id',
    },
    { says: 'a reserve of more than everything', change: { reserve_pct: 101 }, status: 400, field: 'reserve_pct' },
  ]) {
    test(`refuse ${says}, by name`, async () => {
      const before = await get();
      const reply = await put(change);
      assert.equal(reply.status, status ?? 422);
      assert.equal(reply.body.errors[0].path, `body.${field}`);
      assert.deepEqual(await get(), before);
    });
  }

  test('leave out a car that was deleted, are in the audit log, and end with the site', async () => {
    assert.equal((await cloud.call('DELETE', `/devices/${charger.id}`, { as: ada })).status, 204);
    assert.deepEqual((await get()).cars, []);
    const { body: entries } = await cloud.call('GET', `/organizations/${org}/audit`, { as: ada });
    const entry = entries.find(({ action }: { action: string }) => action === 'site.changed');
    assert.deepEqual([entry.object, entry.details.mode], [site, 'show']);
    const history = await cloud.call('GET', `/sites/${site}/plan/history`, { as: ada });
    assert.deepEqual(
      [history.body.days, history.body.month],
      [[], { saved: null, saved_energy: null, power: null, days: 0 }],
    );
    assert.equal((await cloud.call('GET', `/sites/${site}/plan/history?from=2026-02-30`, { as: ada })).status, 422);
    assert.equal((await cloud.call('DELETE', `/sites/${site}?cascade=true`, { as: ada })).status, 204);
    const left = await cloud.store.db.selectFrom('plan_sites').select('site_id').execute();
    assert.deepEqual(left, []);
  });
});
