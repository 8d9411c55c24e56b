import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { energySeries, quarterMs } from '#contract/cloud/energy.ts';
import { hourMs, minuteMs } from '#contract/time.ts';
import { expectStatus, openCloud } from '#test/cloud/open-cloud.ts';
import { knownCalculator, threePeaks } from '#test/price/known-calculator.ts';
import type { SiteQuarters } from '../energy/report.ts';
import { onlyRules, openAlerting } from './testing/alert-home.ts';

/** The energy of a house that used 1 kW all month, except 5 kW in an hour of three days, and now as much as the test wants. */
function quartersOf(kwNow: number, hour: number) {
  return (_: string, from: number, to: number): SiteQuarters => {
    const column = () => new Float64Array((to - from) / quarterMs);
    const imported = column().map((_, i) => {
      const at = from + i * quarterMs;
      if (at >= hour) return 0;
      const isPeak = [2, 3, 4].some((day) => Math.floor((at - Date.parse(`2026-04-0${day}T10:00Z`)) / hourMs) === 0);
      return isPeak ? 1250 : 250;
    });
    if (to > hour) imported.fill(kwNow * 250, (hour - from) / quarterMs, (hour - from) / quarterMs + 1); // the first quarter
    const series = Object.fromEntries(energySeries.map((name) => [name, column()])) as SiteQuarters['series'];
    return { from, to, series: { ...series, import: imported }, estimated: column(), coveredS: column() };
  };
}

describe('the peak of the month', async () => {
  const cloud = await openCloud();
  after(() => cloud.close());
  const place = { price_area: 'SE3', tariff_id: threePeaks, timezone: 'Europe/Stockholm' };
  const { owner, site } = await cloud.home({
    place,
    device: { device_type: 'energy_meter', hardware_id: 'METER', ders: [{ name: 'grid', type: 'meter' }] },
  });
  await onlyRules(cloud, owner, site, { new_peak: { enabled: true } });
  const { no } = await cloud.store.db.selectFrom('ders').select('no').executeTakeFirstOrThrow();
  const hour = Date.parse('2026-04-10T16:00Z');

  async function alertsAt(minute: number, kw: number) {
    let bills = 0;
    const calculator = knownCalculator({ spot: () => 100 });
    const counting = {
      ...calculator,
      bill(body: Parameters<typeof calculator.bill>[0]) {
        bills++;
        return calculator.bill(body);
      },
    };
    await cloud.store.write(({ db }) => db.deleteFrom('alerts').execute());
    cloud.clock.set(hour + minute * minuteMs);
    const alerting = openAlerting(cloud, { calculator: counting, quarters: quartersOf(kw, hour) });
    const read = () => alerting.readings.set(no, { at: cloud.clock.now(), values: { W: kw * 1000 } });
    for (let half = 0; half < 6; half++) {
      read();
      await alerting.watch.sweep();
      cloud.clock.advance(30_000);
    }
    const as = { ...owner, token: await cloud.signIn(owner) };
    const alerts = await expectStatus(200, cloud.call('GET', `/sites/${site}/alerts`, { as }));
    return { alerts, bills, alerting };
  }

  test('raises an alert with its cost before the end of the hour', async () => {
    const { alerts, bills, alerting } = await alertsAt(20, 8);
    assert.equal(alerts.length, 1);
    // 8 kW for 40 minutes and for the first quarter: 7.3 kW instead of one of the 5 kW, at 40 / 3 per kW and 25 % VAT
    assert.match(alerts[0].body, /heading for 7\.3 kW\. That adds about 39 SEK/);
    assert.ok(bills <= 2, `${bills} bills`);
    cloud.clock.set(hour + hourMs);
    await alerting.watch.sweep();
    const as = { ...owner, token: await cloud.signIn(owner) };
    assert.notEqual((await cloud.call('GET', `/sites/${site}/alerts`, { as })).body[0].ended_at, null);
  });

  test('raises no alert in the first minutes of an hour, or while the power is below it', async () => {
    assert.deepEqual((await alertsAt(2, 8)).alerts, []);
    const { alerts, bills } = await alertsAt(20, 4);
    assert.deepEqual([alerts, bills <= 1], [[], true]);
  });
});
