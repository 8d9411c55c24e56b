import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Ohmstead } from '#contract/client/connect.ts';
import { provisionDevice } from '#contract/cloud/devices.ts';
import { listGateways } from '#contract/cloud/gateways.ts';
import { type PlanGoals, updatePlanGoals } from '#contract/cloud/plans.ts';
import { listSites } from '#contract/cloud/sites.ts';
import { openMeteredHome } from '../testing/metered-home.ts';
import { openPlatform, type Person } from '../testing/people.ts';

suite('goals of plans on the command line', { timeout: 60_000 }, () => {
  let platform: Awaited<ReturnType<typeof openPlatform>>;
  let person: Person;
  let api: Ohmstead;
  before(async () => {
    platform = await openPlatform();
    const home = await openMeteredHome(platform);
    person = home.person;
    api = home.api;
    const [site] = await Array.fromAsync(home.api.pages(listSites, { query: {} }));
    const [gateway] = await Array.fromAsync(home.api.pages(listGateways, { query: {} }));
    const ders = [{ name: 'port', type: 'ev_charger_port' }];
    const { gateway_serial } = gateway!;
    const battery = { hardware_id: 'B1', device_type: 'inverter', ders: [{ name: 'store', type: 'battery' }] };
    await home.api.call(provisionDevice, { body: { gateway_serial, site_id: site!.id, ...battery } });
    await home.api.call(provisionDevice, {
      body: { gateway_serial, site_id: site!.id, device_type: 'ev_charger', hardware_id: 'C1', name: 'Charger', ders },
    });
  });
  after(() => platform.close());

  const set = (...options: string[]) => person.result<PlanGoals>('plan', 'goals', ...options);

  test('are off at first, and plan show says how to switch them on', async () => {
    assert.match((await person.run('plan', 'goals')).out, /^Mode +off: no plan is made$/m);
    assert.match((await person.run('plan', 'show')).out, /^Plans are off\. .*plan goals --mode show$/m);
    assert.match((await person.run('plan', 'history')).out, /^No results yet/);
  });

  test('are set one by one, and the others stay', async () => {
    await set('--mode', 'show', '--reserve', '20', '--max-import', '6kW');
    const goals = await set('--battery-to-grid', 'yes', '--pause', 'today');
    assert.deepEqual(
      [goals.mode, goals.reserve_pct, goals.max_import_w, goals.battery_to_grid, goals.battery_for_car],
      ['show', 20, 6000, true, false],
    );
    assert.ok(Date.parse(goals.paused_until!) > Date.now());
    const ended = await set('--pause', 'no', '--max-import', 'none');
    assert.deepEqual([ended.paused_until, ended.max_import_w], [null, null]);
  });

  test('have the departures of the only charger, by kinds of days', async () => {
    await set('--car', '80% by 07:00 weekdays');
    const both = await set('--car', '60 by 10:00 weekends');
    const short = ({ cars }: PlanGoals) => cars.map(({ target_pct, by, days }) => [target_pct, by, days.join('')]);
    assert.deepEqual(short(both), [
      [80, '07:00', '12345'],
      [60, '10:00', '67'],
    ]);
    assert.deepEqual(short(await set('--car', '90% by 06:30')), [[90, '06:30', '1234567']]);
    const { out } = await person.run('plan', 'goals');
    assert.match(out, /^Car at Charger +90 % by 06:30 on Mon, Tue, Wed, Thu, Fri, Sat, Sun$/m);
    assert.deepEqual((await set('--car', 'none')).cars, []);
  });

  test('have the sizes that devices do not report, one by one', async () => {
    await set('--battery-capacity', '10kWh', '--car-capacity', '60 kWh');
    const { storages } = await set('--car-energy', '8kWh');
    assert.deepEqual(
      storages.map(({ der_id: _, ...facts }) => facts),
      [{ capacity_wh: 10_000 }, { capacity_wh: 60_000, energy_needed_wh: 8000 }],
    );
    const { out } = await person.run('plan', 'goals');
    assert.match(out, /^Entered for Charger +60\.0 kWh, 8\.0 kWh on an average day$/m);
  });

  test('do not name a pause that is over', async () => {
    const [site] = await Array.fromAsync(api.pages(listSites, { query: {} }));
    const paused_until = new Date(Date.now() - 60_000).toISOString();
    await api.call(updatePlanGoals, { params: { site_id: site!.id }, body: { paused_until } });
    assert.doesNotMatch((await person.run('plan', 'goals')).out, /Paused/);
  });

  for (const { options, says } of [
    { options: ['--car-energy', '8'], says: /^--car-energy must be an energy such as 10kWh/ },
    { options: ['--car', 'full at seven'], says: /^--car must be a goal such as/ },
    { options: ['--max-import', '6'], says: /^--max-import must be a power/ },
    { options: ['--reserve', '120'], says: /^--reserve must be a number from 0 to 100/ },
  ])
    test(`${options.join(' ')} is refused`, async () => {
      const { code, err } = await person.run('plan', 'goals', ...options);
      assert.deepEqual([code, says.test(err)], [2, true], err);
    });
});
