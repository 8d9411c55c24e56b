import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { addDevice } from '#contract/gateway/devices.ts';
import { Problem } from '#contract/problem.ts';
import { openLocal } from '#test/gateway/open-local.ts';

function openGateway() {
  let added = 0;
  let isAway = false;
  const local = openLocal();
  local.mount(addDevice, async () => {
    if (isAway) throw new Problem('device_unreachable', 'It does not answer.');
    return { message: 'Added.', sn: `S${++added}`, ders: [] };
  });
  return {
    ...local,
    added: () => added,
    goAway(away: boolean) {
      isAway = away;
    },
    add: (key: string, body: object = { type: 'p1_uart' }) =>
      local.call('POST /api/devices', { body, headers: { 'idempotency-key': key } }),
  };
}

suite('Idempotency-Key', () => {
  test('a retry gets the same answer and adds nothing', async () => {
    const { add, added } = openGateway();
    const first = await add('k');
    const [again, ...others] = await Promise.all([add('k'), add('k'), add('k')]);
    assert.deepEqual([again.status, again.body], [201, first.body]);
    assert.equal(again.headers['idempotency-replayed'], 'true');
    assert.ok(others.every(({ body }) => body.sn === first.body.sn));
    assert.equal(first.headers['idempotency-replayed'], undefined);
    assert.equal(added(), 1);
  });

  test('the key with another body is refused', async () => {
    const { add } = openGateway();
    await add('k');
    const { status, body } = await add('k', { type: 'modbus_rtu' });
    assert.deepEqual([status, body.error], [422, 'idempotency_key_reused']);
  });

  test('a refused request leaves its key free, and a key is forgotten after a day', async () => {
    const { add, added, goAway, clock } = openGateway();
    goAway(true);
    assert.equal((await add('k')).status, 503);
    goAway(false);
    assert.equal((await add('k')).status, 201);
    clock.advance(24 * 3_600_000 + 1);
    assert.equal((await add('k')).body.sn, 'S2');
    assert.equal(added(), 2);
  });

  test('the last hundred keys are remembered', async () => {
    const { add, added } = openGateway();
    for (let key = 0; key <= 100; key++) await add(`k${key}`);
    await add('k100');
    assert.equal(added(), 101);
    await add('k0');
    assert.equal(added(), 102);
  });

  test('a key with other characters is malformed', async () => {
    const { add } = openGateway();
    for (const key of ['', ' ', 'x'.repeat(256)]) assert.equal((await add(key)).status, 400, key);
  });
});
