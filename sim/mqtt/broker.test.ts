import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { connectAsync } from 'mqtt';
import { until } from '#test/until.ts';
import { startBroker } from './broker.ts';

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test('a broker whose port is in use leaves nothing running', async () => {
  const first = await startBroker({ port: 0, receive: () => {} });
  const before = timers();
  await assert.rejects(startBroker({ port: first.port, receive: () => {} }), { code: 'EADDRINUSE' });
  assert.equal(timers(), before);
  await first.close();
});

test('messages published during another publish are delivered once, in order', async (t) => {
  const broker = await startBroker({ port: 0, receive: () => {} });
  const client = await connectAsync(`mqtt://127.0.0.1:${broker.port}`, { reconnectPeriod: 0 });
  t.after(async () => {
    await client.endAsync(true);
    await broker.close();
  });
  const heard: number[] = [];
  client.on('message', (_, payload) => heard.push(Number(payload.toString())));
  await client.subscribeAsync('#');

  let sent = 0;
  async function publish(pause: () => Promise<void>): Promise<void> {
    for (let turn = 0; turn < 300; turn += 1) {
      sent += 1;
      broker.publish('count', String(sent));
      await pause();
    }
  }
  await Promise.all([publish(setImmediate), publish(() => setTimeout(1)), publish(() => setTimeout(2))]);
  await until(() => heard.length >= sent);
  assert.deepEqual(
    heard,
    Array.from({ length: sent }, (_, index) => index + 1),
  );
});
