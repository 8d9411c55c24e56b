import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { QuotaUsage } from '#contract/cloud/organizations.ts';
import { dayMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';
import { connectGateway } from '#test/cloud/gateway-client.ts';
import { engines, openCloud } from '#test/cloud/open-cloud.ts';
import { until } from '#test/until.ts';
import { createTelemetryUsage } from './usage.ts';

const text = 'x'.repeat(256);
/** A reading of a little more than 10 000 bytes. */
const large = Object.fromEntries(Array.from({ length: 39 }, (_, index) => [`text_${index}`, text]));

for (const { engine, skip } of engines) {
  describe(`the telemetry quota on ${engine}`, { skip }, () => {
    test('readings beyond the quota of the day are dropped, counted and acknowledged, of that organization only', async (t) => {
      const cloud = await openCloud({ engine, env: { TELEMETRY_MB_PER_DAY: '1', TOKEN_HOURS: '48' } });
      t.after(() => cloud.close());
      await cloud.start();
      const [spender, saver] = [await cloud.home(), await cloud.home()];
      const open = (signer: typeof spender.gateway) =>
        connectGateway(cloud.transport.urls.mqtt!, signer, cloud.clock.now());
      const [big, small] = [await open(spender.gateway), await open(saver.gateway)];
      const acked: number[][] = [];
      big.on('message', (_, payload) => acked.push(...JSON.parse(payload.toString()).acked));
      await big.subscribeAsync(`gateways/${spender.gateway.serial}/telemetry/ack`);
      const usage = async ({ owner, org }: typeof spender) => {
        const { body } = await cloud.call('GET', `/organizations/${org}/usage`, { as: owner });
        return (body as QuotaUsage[]).find(({ name }) => name === 'telemetry_bytes_today')!;
      };
      const dropped = async ({ owner, gateway }: typeof spender) =>
        (await cloud.call('GET', `/gateways/${gateway.serial}`, { as: owner })).body.dropped;

      let seq = 0;
      const send = async (to: typeof big) => {
        seq++;
        await to.report('INV-1', 'pv', { ...large, timestamp: cloud.clock.now() - 200_000 + seq, seq });
      };
      await Promise.all(Array.from({ length: 90 }, () => send(big)));
      for (let more = 0; more < 15; more++) await send(big);
      const before = await usage(spender);
      assert.deepEqual([before.limit, before.setting], [1_000_000, 'TELEMETRY_MB_PER_DAY']);
      assert.ok(before.used >= 1_000_000 && before.used < 1_100_000, String(before.used));
      const { quota } = await dropped(spender);
      assert.ok(quota > 0 && quota < 10, String(quota));
      await until(() => acked.some(([first, last]) => first! <= 105 && 105 <= last!));
      await send(small);
      assert.deepEqual(await dropped(saver), {});

      cloud.clock.advance(dayMs); // a new day
      await until(async () => (await usage(spender)).used === 0);
      const client = await open(spender.gateway);
      await send(client);
      assert.equal((await dropped(spender)).quota, quota);
    });

    test('the count of the day survives a restart', async (t) => {
      const first = await openCloud({ engine, env: { TELEMETRY_MB_PER_DAY: '1' } });
      t.after(() => first.close());
      const log = createLog({ level: 'silent', name: 'test' });
      const make = () => createTelemetryUsage({ store: first.store, maxBytesPerDay: 1000, clock: first.clock, log });
      const [one, other] = [make(), make()]; // of two processes
      await Promise.all([one.start(), other.start()]);
      one.add({ org_id: 'org-1' }, 600);
      other.add({ org_id: 'org-1' }, 300);
      await Promise.all([one.stop(), other.stop()]);
      const next = make();
      await next.start();
      assert.equal(await next.today('org-1'), 900);
      assert.ok(!next.isUsedUp('org-1'));
      next.add({ org_id: 'org-1' }, 100);
      assert.ok(next.isUsedUp('org-1') && !next.isUsedUp('org-2'));
      await next.stop();
      const last = make();
      await last.start();
      assert.ok(last.isUsedUp('org-1'));
      await last.stop();
    });
  });
}
