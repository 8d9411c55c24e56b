import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '#contract/client.ts';
import { systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { startMqttBroker } from '#test/services/mqtt-broker.ts';
import { until } from '#test/until.ts';
import { startSendingPast } from './history.ts';

test('the past of a gateway that is put out while it is sent is given up, and holds nobody up', async (t) => {
  let taken = 0;
  const broker = await startMqttBroker({ authorizePublish: () => void taken++ }); // and never says yes or no
  t.after(() => broker.close());
  const lines: string[] = [];
  const past = startSendingPast({
    until: systemClock.now(),
    identity: { serial: 'gw-1', brokerToken: () => 'token' },
    mqttUrl: `mqtt://127.0.0.1:${broker.port}`,
    ders: [],
    api: createClient({ baseUrl: 'http://127.0.0.1:1' }),
    done: () => assert.fail('nothing of it is safe'),
    clock: systemClock,
    log: createLog({ level: 'warn', name: 'test', destination: { write: (line) => void lines.push(line) } }),
  });
  await until(() => taken > 0);
  broker.cut();
  await until(() => lines.some((line) => line.includes('the past of the home was not sent')));
  await past.close();
});
