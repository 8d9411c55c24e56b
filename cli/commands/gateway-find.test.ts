import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { announce } from '#gateway/mdns.ts';
import { createLog } from '#lib/log.ts';
import { multicastMissing } from '#test/multicast.ts';
import { resultOf, runInProcess } from '../testing/in-process.ts';
import type { FoundGateway } from './gateway-find.ts';

suite('looking for gateways', async () => {
  const skip = await multicastMissing();

  test('finds those that announce themselves, with the address to use', { skip, timeout: 30_000 }, async (t) => {
    const serial = `ohm-find-${process.pid.toString(16)}`;
    const log = createLog({ level: 'silent', name: 'test' });
    const announcement = await announce({ serial, port: 18_081, log });
    t.after(() => announcement.close());
    const found = await resultOf<FoundGateway[]>(['gateway', 'find', '--seconds', '4']);
    const ours = found.find(({ gateway_serial }) => gateway_serial === serial);
    assert.equal(ours?.name, `zap-${serial}`);
    assert.match(ours?.url ?? '', /^http:\/\/\d+\.\d+\.\d+\.\d+:18081$/);
  });

  test('--seconds is checked', async () => {
    const { code, err } = await runInProcess(['gateway', 'find', '--seconds', 'some']);
    assert.equal(code, 2);
    assert.match(err, /^--seconds must be more than 0 and at most 600\.\n/);
  });
});
