import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { engines, openCloud, type Person, type TestCloud } from '#test/cloud/open-cloud.ts';
import { until } from '#test/until.ts';
import { getDer } from '../store/devices.ts';

const readings = 1750;
const stepMs = 4000; // over more than an hour, which is stored in several pieces
// Long names make 11 MB, more than sockets hold, of few numbers: those take the time.
const fields = Array.from({ length: 25 }, (_, i) => `${'a_name_that_takes_more_room_than_numbers_'.repeat(6)}${i}`);

for (const { engine, skip } of engines) {
  describe(`a history of many megabytes on ${engine}`, { skip }, () => {
    let cloud: TestCloud;
    let ada: Person;
    let url: string;
    let from: number;
    before(async () => {
      cloud = await openCloud({ engine });
      const base = await cloud.app.listen({ host: '127.0.0.1', port: 0 });
      const { owner, device } = await cloud.home();
      ada = owner;
      const der = (await getDer(cloud.store.db, device.ders[0].id)).no;
      from = cloud.clock.now() - readings * stepMs;
      const samples = Array.from({ length: readings }, (_, i) => {
        const at = from + i * stepMs;
        const body = JSON.stringify(Object.fromEntries(fields.map((name, f) => [name, i + f / 8])));
        return { der, at, received: at * 1000, body };
      });
      await cloud.telemetry.append(samples);
      url = `${base}/ders/${device.ders[0].id}/telemetry?resolution=raw&from=${from}&to=${cloud.clock.now()}`;
    });
    after(() => cloud.close());

    const ask = (query = ''): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        // On a connection of its own: the buffers of one that was read from grow to hold it all.
        get(url + query, { agent: false, headers: { authorization: `Bearer ${ada.token}` } }, resolve).on(
          'error',
          reject,
        );
      });

    const textOf = async (answer: IncomingMessage): Promise<string> => {
      const parts: Buffer[] = [];
      for await (const part of answer) parts.push(part as Buffer);
      return Buffer.concat(parts).toString();
    };

    test('is complete, as JSON and as CSV', async () => {
      const { points } = JSON.parse(await textOf(await ask()));
      assert.equal(points.length, readings);
      const last = fields.map((name, f) => [name, readings - 1 + f / 8]);
      assert.deepEqual(points.at(-1), { timestamp: from + (readings - 1) * stepMs, ...Object.fromEntries(last) });
      const csv = (await textOf(await ask('&format=csv'))).split('\n');
      assert.deepEqual([csv.length, csv[0]!.split(',').length], [readings + 2, 26]);
      assert.equal(csv.at(-2)!.split(',').length, 26);
    });

    test('counts as in flight until it is read, and a fifth one is refused with 429', async () => {
      const answers: IncomingMessage[] = [];
      for (let i = 0; i < 5; i++) answers.push(await ask());
      assert.deepEqual(
        answers.map(({ statusCode }) => statusCode),
        [200, 200, 200, 200, 429],
      );
      assert.equal(answers[4]!.headers['retry-after'], '5');
      const small = await cloud.call('GET', '/organizations', { as: ada });
      assert.equal(small.status, 200);
      for (const answer of answers) answer.destroy();
      await until(async () => {
        const again = await ask();
        again.destroy();
        return again.statusCode === 200;
      });
    });
  });
}
