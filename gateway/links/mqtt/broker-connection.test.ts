import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { until } from '#test/until.ts';
import { parseBrokerAddress } from './broker-address.ts';
import { BrokerConnection } from './broker-connection.ts';

test('a broker that refused the login is retried at once while the gateway is being claimed', async (t) => {
  let asked = 0;
  const connection = new BrokerConnection({
    async open() {
      asked += 1;
      throw new Error('not claimed');
    },
    mayConnect: () => true,
    opened() {},
    ended() {},
    monotonic: monotonicClock,
    log: createLog({ level: 'silent', name: 'test' }),
    backoff: { minMs: 1e9, maxMs: 1e9 },
  });
  t.after(() => connection.close());
  connection.setBrokers([parseBrokerAddress('mqtt://127.0.0.1:1')]);
  connection.start();
  await until(
    () => asked,
    (times) => times === 1,
  );
  await sleep(100);
  assert.equal(asked, 1, 'it waits');

  connection.hurry();
  await until(
    () => asked,
    (times) => times >= 3,
  );
});
