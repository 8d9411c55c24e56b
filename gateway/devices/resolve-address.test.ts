import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveKeptLine, resolveLine } from './resolve-address.ts';

const resolve = async (host: string): Promise<string> => (host === 'adapter.local' ? '192.168.1.20' : host);

for (const [line, resolved] of [
  ['/dev/ttyUSB7', '/dev/ttyUSB7'],
  ['tcp://adapter.local:8899', 'tcp://192.168.1.20:8899'],
  ['tcp://[fd00::7]:8899', 'tcp://[fd00::7]:8899'],
] as const) {
  test(`${line} is a serial line, ${resolved}`, async () => assert.equal(await resolveLine(line, resolve), resolved));
}

for (const line of [
  '/etc/passwd',
  '/dev/../etc/passwd',
  '/dev/null/x',
  '/nowhere',
  'tcp://adapter.local',
  'tcp://a:70000',
]) {
  test(`${line} is refused as a serial line`, () =>
    assert.rejects(resolveLine(line, resolve), { name: 'Problem', code: 'invalid_request' }));
}

test('a missing line of an added device is a link error, not an invalid request', async () => {
  await assert.rejects(resolveKeptLine('/run/meter', resolve), {
    name: 'LinkError',
    message: '/run/meter is not a serial line now: plug the adapter in, or add the device again with its new path.',
  });
  assert.equal(await resolveKeptLine('/dev/ttyUSB7', resolve), '/dev/ttyUSB7');
});
