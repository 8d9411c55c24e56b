import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { provisionDevice } from '#contract/cloud/devices.ts';
import { listSites } from '#contract/cloud/sites.ts';
import { connectGateway } from '#test/cloud/gateway-client.ts';
import { knownCalculator } from '#test/price/known-calculator.ts';
import { until } from '#test/until.ts';
import { claimNew, openMeteredHome } from '../testing/metered-home.ts';
import { openPlatform } from '../testing/people.ts';

const spot = (hour: number): number => (hour < 6 ? 20 : hour >= 17 && hour < 20 ? 200 : 60);

suite('plan show', { timeout: 60_000 }, () => {
  test('begins with what the plan saves, and has one row for steps in which the same happens', async () => {
    const platform = await openPlatform({}, knownCalculator({ spot }));
    try {
      const { person, api, signer } = await openMeteredHome(platform);
      const [site] = await Array.fromAsync(api.pages(listSites, { query: {} }));
      const addBattery = async ({ serial, ...key }: Awaited<ReturnType<typeof claimNew>>): Promise<void> => {
        const device = { device_type: 'inverter', hardware_id: 'INV', name: 'Inverter' };
        const ders = [{ name: 'battery', type: 'battery' }];
        await api.call(provisionDevice, { body: { gateway_serial: serial, site_id: site!.id, ...device, ders } });
        const gateway = await connectGateway(platform.mqttUrl, { serial, ...key }, Date.now());
        const values = { capacity_Wh: 10_000, rated_power_W: 5000, SoC_nom_fract: 0.5, W: 0 };
        await gateway.report('INV', 'battery', { type: 'battery', timestamp: Date.now(), ...values });
        await gateway.endAsync(true);
      };
      await addBattery(signer);
      await person.run('plan', 'goals', '--mode', 'show');
      const out = await until(
        async () => (await person.run('plan', 'show')).out,
        (text) => text.includes('WHY'),
      );

      const [head, table] = out.split('\n\n') as [string, string];
      assert.match(
        head,
        /^The plan is current\.\nIt is only shown.*\n(Saves|Costs|The saving is known) .* Expected cost -?\d+\.\d\d SEK\.$/m,
      );
      const rows = table.trim().split('\n').slice(1);
      assert.ok(rows.length >= 2 && rows.length <= 24, `${rows.length} rows for 96 quarters of an hour:\n${table}`);
      const spans = rows.map((row) => /^\d{4}-\d\d-\d\d (\d\d:\d\d)\S* +to (\d\d:\d\d)/.exec(row)!.slice(1));
      for (const [n, [start]] of spans.entries()) if (n > 0) assert.equal(start, spans[n - 1]![1], table);
      for (const row of rows) {
        const [low = Number.NaN, high = low] = row.slice(26).trim().split(/[- ?]/, 2).map(Number);
        assert.ok(!(high > low * 1.34), `prices of a row differ much: ${row}`);
        if (row.includes('Charging')) assert.match(row, / \+\d+(\.\d+)? k?W \d+ % /);
        if (row.includes('Discharging')) assert.match(row, / -\d+(\.\d+)? k?W \d+ % /);
      }
      assert.match(table, /Charging \d\.\d kW/);

      await person.run('plan', 'goals', '--mode', 'control', '--max-import', '100W');
      const control = await until(
        async () => (await person.run('plan', 'show')).out,
        (text) => text.includes('Not kept'),
      );
      assert.match(control, /^The gateway has not confirmed this plan\. /m);
      assert.match(control, /^Not kept: the limit of import is exceeded by \d+\.\d kWh in total\.$/m);

      const second = await claimNew(api, site!.org_id);
      await addBattery(second);
      const both = await until(
        async () => (await person.run('plan', 'show')).out,
        (text) => text.includes(second.serial),
      );
      const unconfirmed = both
        .split('\n')
        .filter((line) => line.includes(': The gateway has not confirmed this plan. '));
      assert.deepEqual(
        unconfirmed.map((line) => line.slice(0, line.indexOf(':'))).toSorted(),
        [signer.serial, second.serial].toSorted(),
      );
    } finally {
      await platform.close();
    }
  });
});
