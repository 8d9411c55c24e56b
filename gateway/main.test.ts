import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openGateway } from '#test/gateway/open-gateway.ts';
import { until } from '#test/until.ts';
import { Devices } from './devices/devices.ts';

test('a gateway that cannot close all that it opened says so, and comes back from a reboot all the same', async (t) => {
  const gateway = await openGateway();
  t.after(() => gateway.close());
  const starts = () => gateway.lines.filter((line) => line.includes('"gateway started"')).length;
  assert.equal((await gateway.call('POST', '/api/system/reboot')).status, 200);
  t.mock.method(Devices.prototype, 'close').mock.mockImplementationOnce(async () => {
    throw new Error('a line that does not let go');
  });
  await until(starts, (count) => count === 2);
  assert.ok(gateway.lines.some((line) => line.includes('a line that does not let go')));
  assert.equal((await gateway.call('GET', '/health')).status, 200);
});
