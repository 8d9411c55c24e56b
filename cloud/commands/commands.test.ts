import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CommandStatus, commandStatuses, underWay } from '#contract/cloud/commands.ts';
import { dayMs } from '#contract/time.ts';
import { onEachEngine } from '#test/cloud/on-each-engine.ts';
import { until } from '#test/until.ts';
import type { CommandRow } from '../store/schema.ts';
import { forgetEnded } from './commands.ts';

const keptMs = 90 * dayMs;

onEachEngine('commands that ended', async (cloud) => {
  const { store } = cloud;
  const now = cloud.clock.now();
  const ada = await cloud.person();
  const org_id = await cloud.organization(ada);
  const { serial: gateway_serial } = await cloud.claim(ada, org_id);
  const { ders } = await cloud.provision(ada, await cloud.site(ada, org_id), gateway_serial);
  const der_id: string = ders[0].id;

  const rowOf = (id: string, status: CommandStatus, expires_at: number): CommandRow => ({
    id,
    der_id,
    org_id,
    gateway_serial,
    power_w: 0,
    ttl_s: 60,
    status,
    created_at: expires_at - 60_000,
    expires_at,
    created_by: null,
    created_by_name: null,
    order_id: null,
    history: '[]',
  });
  const put = (rows: readonly CommandRow[]): Promise<void> =>
    store.write(async ({ db }) => void (await db.insertInto('commands').values(rows).execute()));
  const known = async (): Promise<string[]> =>
    (await store.db.selectFrom('commands').select('id').execute()).map(({ id }) => id).sort();

  test('are removed when they are old, however many; those under way are not', async () => {
    await put(Array.from({ length: 1200 }, (_, i) => rowOf(`many-${i}`, 'released', now - keptMs - dayMs - i)));
    await put(commandStatuses.map((status) => rowOf(`old-${status}`, status, now - keptMs - 1)));
    await put(commandStatuses.map((status) => rowOf(`young-${status}`, status, now - keptMs)));
    await put([rowOf('last', 'released', now)]);
    await forgetEnded(store, now, keptMs);
    const young = commandStatuses.map((status) => `young-${status}`);
    assert.deepEqual(await known(), ['last', ...underWay.map((status) => `old-${status}`), ...young].sort());
  });

  test('are not made old by a clock that is a year ahead', async () => {
    await put([rowOf('recent', 'expired', now - 80 * dayMs)]);
    await forgetEnded(store, now + 365 * dayMs, keptMs);
    assert.ok((await known()).includes('recent'));
  });

  test('are deleted by the upkeep of the platform', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    await cloud.start();
    cloud.clock.set(now + 20 * dayMs);
    await put([rowOf('another', 'released', now + 20 * dayMs)]);
    t.mock.timers.tick(10 * 60_000);
    await until(async () => !(await known()).includes('recent'));
    assert.ok((await known()).includes('another'));
  });
});
