import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { engines, openCloud } from '#test/cloud/open-cloud.ts';
import { listGatewaysNotSeen, listPendingDevices, saveDevicesSeen, saveGatewayPresence } from './presence.ts';
import type { Schema } from './schema.ts';

test('the number of prepared statements does not depend on the number of devices', async () => {
  const statements = new Set<string>();
  const db = new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (of) => new SqliteIntrospector(of),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    log: ({ query }) => void statements.add(query.sql),
  });
  for (const count of [1, 2, 99, 100, 101, 250]) {
    const ids = Array.from({ length: count }, (_, i) => `id-${i}`);
    await listPendingDevices(db, ids);
    await saveDevicesSeen(db, ids, 1);
    await saveGatewayPresence(db, ids, false, 1);
    await listGatewaysNotSeen(db, ids, 0, 1);
  }
  assert.equal(statements.size, 6);
});

const mostValues = { sqlite: 32_766, postgres: 65_535 };

for (const { engine, skip } of engines) {
  test(`more devices can be saved at once than a statement of ${engine} takes parameters`, { skip }, async () => {
    const cloud = await openCloud({ engine });
    try {
      const { owner: ada, gateway, device } = await cloud.home();
      const { serial } = gateway;
      const { id } = device;
      const many = Array.from({ length: mostValues[engine] }, (_, i) => `unknown-${i}`);
      const found = await cloud.store.write(async ({ db }) => {
        const pending = await listPendingDevices(db, ['unknown', id]);
        await saveDevicesSeen(db, [...many, id], 5);
        return { pending, came: await saveGatewayPresence(db, ['unknown', serial], true, 5) };
      });
      assert.deepEqual(found, { pending: [id], came: [serial] });
      const { state, online } = (await cloud.call('GET', `/devices/${id}`, { as: ada })).body;
      assert.deepEqual({ state, online }, { state: 'active', online: true });
      const unnoted = (since: number, until: number) =>
        cloud.store.write(({ db }) => listGatewaysNotSeen(db, [...many, serial], since, until));
      assert.deepEqual([await unnoted(5, 5), await unnoted(6, 9), await unnoted(1, 4)], [[], [serial], [serial]]);
      const again = await cloud.store.write(({ db }) => saveGatewayPresence(db, [serial], true, 6));
      assert.deepEqual(again, []);
      const went = await cloud.store.write(({ db }) => saveGatewayPresence(db, [serial], false, 7));
      assert.deepEqual(went, [serial]);
      assert.equal((await cloud.call('GET', `/devices/${id}`, { as: ada })).body.online, false);

      const seenAt = async () =>
        Date.parse((await cloud.call('GET', `/gateways/${serial}`, { as: ada })).body.last_seen);
      const leave = (at: number) => cloud.store.write(({ db }) => saveGatewayPresence(db, [serial], false, at));
      await leave(15_000);
      assert.equal(await seenAt(), 15_000, 'it said goodbye between two states');
      await leave(60_000);
      assert.equal(await seenAt(), 15_000, 'its connection was dead before it ended');
    } finally {
      await cloud.close();
    }
  });
}
