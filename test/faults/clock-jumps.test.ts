import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { dayMs, hourMs } from '#contract/time.ts';
import { systemClock } from '#lib/clock.ts';
import { sungrowHybrid } from '#sim/modbus/banks/sungrow.ts';
import { openCloud } from '../cloud/open-cloud.ts';
import { openPrice, wednesday } from '../price/open-price.ts';
import { until } from '../until.ts';
import { openControlled } from './control-setup.ts';

const jumps: { title: string; to(now: number): number }[] = [
  { title: 'an hour ahead', to: (now) => now + hourMs },
  { title: 'an hour back', to: (now) => now - hourMs },
  { title: 'a day ahead', to: (now) => now + dayMs },
  { title: 'a day back', to: (now) => now - dayMs },
  { title: 'to 1970', to: () => 1000 },
  { title: 'to 2100', to: () => Date.UTC(2100, 0, 1) },
];

suite('a lease, while the clock of the gateway jumps', { concurrency: jumps.length }, () => {
  for (const { title, to } of jumps) {
    test(`${title}, ends when its seconds are over, no sooner and no later`, async (t) => {
      let offset = 0;
      const clock = { now: () => systemClock.now() + offset };
      const { post, battery } = await openControlled(t, sungrowHybrid('S1'), { clock });
      const began = performance.now();
      assert.equal((await post('battery', { power_w: 1000, ttl_s: 3 })).status, 202);
      await until(() => battery()[1] === 1000);
      offset = to(systemClock.now()) - systemClock.now();
      while (performance.now() - began < 2500) {
        assert.equal(battery()[0], 'forced');
        await sleep(50);
      }
      await until(() => battery()[0] === 'self-consumption', Boolean, 3500);
    });
  }
});

suite('the platform, while its clock jumps', { concurrency: jumps.length }, () => {
  for (const { title, to } of jumps) {
    test(`${title}, serves or refuses, and recovers when the clock is right`, async (t) => {
      const cloud = await openCloud();
      t.after(() => cloud.close());
      await cloud.start();
      const ada = await cloud.person();
      const org = await cloud.organization(ada);
      const now = cloud.clock.now();
      cloud.clock.set(to(now));
      for (const [method, path, body] of [
        ['GET', '/sites', undefined],
        ['POST', '/sites', { org_id: org, name: title }],
        ['POST', '/auth/challenge', { public_key: ada.publicKey }],
        ['GET', '/ready', undefined],
        ['GET', '/public/cells', undefined],
      ] as const) {
        const { status } = await cloud.call(method, path, { as: ada, body });
        assert.ok([200, 201, 401].includes(status), `${method} ${path} is answered with ${status}`);
      }
      cloud.clock.set(now + 1000);
      assert.equal((await cloud.call('GET', '/sites', { as: ada })).status, 200);
      assert.ok(await cloud.signIn(ada));
    });
  }
});

const brussels = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Brussels' }); // writes 2026-01-14

suite('prices, while the clock jumps', { concurrency: jumps.length }, () => {
  for (const { title, to } of jumps) {
    test(`${title}, are those of that day or none, and the same as before when the clock is right`, async () => {
      await using price = await openPrice();
      await price.get('/price/electricity/SE3');
      const before = await price.get('/price/electricity/SE3'); // a cached answer
      assert.equal(before.status, 200);
      const jumped = to(wednesday);
      price.clock.set(jumped);
      const { status, body } = await price.get('/price/electricity/SE3');
      if (status === 200) {
        const days: string[] = body.prices.map(({ datetime }: { datetime: string }) =>
          brussels.format(Date.parse(datetime)),
        );
        const [today, tomorrow] = [brussels.format(jumped), brussels.format(jumped + dayMs)];
        assert.ok(days.includes(today), `the first is ${days[0]}`);
        assert.ok(
          days.every((day) => day === today || day === tomorrow),
          `the last is ${days.at(-1)}`,
        );
      } else assert.ok([404, 503].includes(status), `answered with ${status}`);
      price.clock.set(wednesday);
      const after = await price.get('/price/electricity/SE3');
      assert.deepEqual(after.body.prices, before.body.prices);
    });
  }
});
