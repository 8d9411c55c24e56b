import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createLog } from '#lib/log.ts';
import { connectGateway, type GatewayClient } from '#test/cloud/gateway-client.ts';
import { engines, openCloud, type Person, type TestCloud } from '#test/cloud/open-cloud.ts';
import { until } from '#test/until.ts';
import { getDer } from '../store/devices.ts';
import { addFieldNames, listFieldNames } from '../store/telemetry-registry.ts';
import { createFieldLimit } from './field-limit.ts';
import { shapeOf } from './reading.ts';

const log = createLog({ level: 'silent', name: 'test' });
const maxFieldsPerDer = 256;

const namesFrom = (first: number, count: number): string[] => Array.from({ length: count }, (_, i) => `f${first + i}`);
const valuesOf = (names: readonly string[]) => Object.fromEntries(names.map((name, i) => [name, i]));

for (const { engine, skip } of engines) {
  describe(`fields of a DER on ${engine}`, { skip }, () => {
    let cloud: TestCloud;
    let ada: Person;
    let serial: string;
    let ders: { id: string; name: string }[];
    let client: GatewayClient;
    before(async () => {
      cloud = await openCloud({ engine });
      await cloud.start();
      const home = await cloud.home();
      ada = home.owner;
      serial = home.gateway.serial;
      ders = home.device.ders;
      client = await connectGateway(cloud.transport.urls.mqtt!, home.gateway, cloud.clock.now());
    });
    after(async () => {
      await client.endAsync(true);
      await cloud.close();
    });

    const dropped = async () => (await cloud.call('GET', `/gateways/${serial}`, { as: ada })).body.dropped;
    const numberOf = async (id: string): Promise<number> => (await getDer(cloud.store.db, id)).no;
    const restarted = async () => {
      const limit = createFieldLimit({ store: cloud.store, maxFieldsPerDer, isShared: false, log });
      await limit.start();
      return limit;
    };

    test('fields beyond the limit are left out and counted, and the rest of the reading is stored', async () => {
      const { id } = ders[0]!;
      const from = cloud.clock.now();
      for (let reading = 0; reading < 4; reading++) {
        cloud.clock.advance(1000);
        const values = { W: reading, ...valuesOf(namesFrom(reading * 90, 90)) };
        await client.report('INV-1', 'pv', { timestamp: cloud.clock.now(), ...values });
      }
      assert.deepEqual(await dropped(), { too_many_fields: 2 });
      const { body } = await cloud.call('GET', `/ders/${id}/telemetry?resolution=raw&from=${from}&to=${from + 9000}`, {
        as: ada,
      });
      const rows = body.points as Record<string, number>[];
      assert.deepEqual(
        rows.map(({ timestamp, ...values }) => [values.W, Object.keys(values).length]),
        [
          [0, 91],
          [1, 91],
          [2, maxFieldsPerDer - 180], // 75 of 90 new ones, and W
          [3, 1],
        ],
      );
      const { latest } = (await cloud.call('GET', `/ders/${id}`, { as: ada })).body;
      assert.deepEqual(latest, { timestamp: cloud.clock.now(), W: 3 });

      cloud.clock.advance(1000);
      await client.report('INV-1', 'pv', { timestamp: cloud.clock.now(), other: 1 });
      assert.deepEqual(await dropped(), { too_many_fields: 3 }, 'a reading of which nothing is left is dropped');
    });

    test('the limit holds after a restart', async () => {
      const der = await numberOf(ders[0]!.id);
      await until(async () => (await listFieldNames(cloud.store.db, der)).length === maxFieldsPerDer);
      const limit = await restarted();
      assert.deepEqual([...(await limit.excessOf(der, ['W', 'f1', 'one_more', 'timestamp'], undefined))], ['one_more']);
      await limit.stop();
    });

    test('each process loads the names of a DER with many, and needs no database for the others', async () => {
      const der = await numberOf(ders[1]!.id);
      const few = namesFrom(0, 20);
      const [one, other] = [await restarted(), await restarted()];
      assert.equal((one.excessOf(der, few, undefined) as ReadonlySet<string>).size, 0);
      assert.equal((one.excessOf(der, namesFrom(10, 20), shapeOf(few)) as ReadonlySet<string>).size, 0);
      await cloud.store.write(({ db }) => addFieldNames(db, der, namesFrom(1000, 250))); // as another process would
      const excess = await other.excessOf(der, namesFrom(0, 99), undefined);
      assert.equal(excess.size, 99 - (maxFieldsPerDer - 250));
      await one.stop();
      await other.stop();
    });

    test('names that JSON escapes are counted too', async () => {
      const limit = createFieldLimit({ store: cloud.store, maxFieldsPerDer: 3, isShared: false, log });
      const sizes = ['å', 'ä', 'ö', '"'].map(async (name) => (await limit.excessOf(99, [name], undefined)).size);
      assert.deepEqual(await Promise.all(sizes), [0, 0, 0, 1]);
    });
  });
}
