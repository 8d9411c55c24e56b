import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { openCloud, type TestCloud } from '../../cloud/open-cloud.ts';
import { publicCells } from '../../proof/trials/public-cells.ts';

test('no history of a cell or of a type in it is published below the minimum number of sites', async () => {
  const outcome = await publicCells.attempt(4);
  assert.deepEqual(outcome, { tried: 4, failed: 0, notes: [] });
});

test('a platform with a lower minimum is detected', async () => {
  assert.ok((await publicCells.planted()).failed > 0);
});

suite('the index of a cell', () => {
  let cloud: TestCloud;
  before(async () => {
    cloud = await openCloud();
  });
  after(() => cloud.close());

  test('that is invalid is answered with 404', async () => {
    // biome-ignore format: rows of words
    const odd = [
      '0', 'x', '861f9b4efffffff', '861F9B4EFFFFFFF', '851f9b4ffffffff', '8009fffffffffff', 'ffffffffffffffff', '-1', '1e99',
      '%00', '%ff', '..', 'a%2fb', '__proto__', 'constructor', 'x'.repeat(300), '%F0%9F%94%8C', "'%20or%201=1",
    ];
    for (const index of odd) {
      const { status } = await cloud.call('GET', `/public/cells/${index}/stats`);
      assert.ok(status === 404 || status === 400, `${index}: ${status}`);
    }
    for (let n = 0; n < 1000; n++) {
      const { status } = await cloud.call('GET', `/public/cells/86${n.toString(16).padStart(6, '0')}fffffff/stats`);
      assert.equal(status, 404);
    }
  });
});
