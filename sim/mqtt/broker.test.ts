import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBroker } from './broker.ts';

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test('a broker whose port is taken leaves nothing running', async () => {
  const first = await startBroker({ port: 0, receive: () => {} });
  const before = timers();
  await assert.rejects(startBroker({ port: first.port, receive: () => {} }), { code: 'EADDRINUSE' });
  assert.equal(timers(), before);
  await first.close();
});
