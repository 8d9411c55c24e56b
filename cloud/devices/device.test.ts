import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openCloud, type TestCloud } from '#test/cloud/open-cloud.ts';
import { derAnswer } from './device.ts';

type Reading = Record<string, unknown> | null;

describe('the answer about a DER', () => {
  let cloud: TestCloud;
  let der: string;
  before(async () => {
    cloud = await openCloud();
    const { device } = await cloud.home();
    der = device.ders[0].id;
  });
  after(() => cloud.close());

  const answer = (reading: Reading) => derAnswer(cloud.store.db, der, async () => reading);

  test('is the same object while its reading is', async () => {
    const reading = { W: 5, timestamp: 1 };
    assert.equal(await answer(reading), await answer({ ...reading }));
    assert.equal(await answer(null), await answer(null));
  });

  for (const { says, first, next } of [
    { says: 'the first reading', first: null, next: { W: 5 } },
    { says: 'another value', first: { W: 5 }, next: { W: 6 } },
    { says: 'a value as text', first: { W: 5 }, next: { W: '5' } },
    { says: 'another field', first: { W: 5 }, next: { V: 5 } },
    { says: 'one field more', first: { W: 5 }, next: { W: 5, V: 230 } },
    { says: 'one field less', first: { W: 5, V: 230 }, next: { W: 5 } },
    { says: 'another order', first: { W: 5, V: 230 }, next: { V: 230, W: 5 } },
    { says: 'another list', first: { L: [1] }, next: { L: [2] } },
    { says: 'no reading', first: { W: 5 }, next: null },
  ] satisfies { says: string; first: Reading; next: Reading }[]) {
    test(`is created again for ${says}`, async () => {
      const before = await answer(first);
      const after = await answer(next);
      assert.notEqual(before, after);
      assert.equal(JSON.stringify(after.body.latest), JSON.stringify(next));
    });
  }
});
