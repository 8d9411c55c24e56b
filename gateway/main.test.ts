import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openGateway } from '#test/gateway/open-gateway.ts';
import { until } from '#test/until.ts';
import { Devices } from './devices/devices.ts';

test('a gateway that fails to close everything logs that, and restarts anyway', async (t) => {
  const gateway = await openGateway();
  t.after(() => gateway.close());
  const starts = () => gateway.lines.filter((line) => line.includes('"gateway started"')).length;
  assert.equal((await gateway.call('POST', '/api/system/reboot')).status, 200);
  t.mock.method(Devices.prototype, 'close').mock.mockImplementationOnce(async () => {
    throw new Error('the line is stuck');
  });
  await until(starts, (count) => count === 2);
  assert.ok(gateway.lines.some((line) => line.includes('the line is stuck')));
  assert.equal((await gateway.call('GET', '/health')).status, 200);
});
