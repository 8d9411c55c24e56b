import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stateTopic } from '#contract/topics.ts';
import { until } from '#test/until.ts';
import { openBrokerHome } from '../testing/broker-home.ts';

const overMs = 1000;
const gateways = 10;

test('a broker that is drained ends its connections one after another and acknowledges what it received', async (t) => {
  const stored = Promise.withResolvers<void>();
  const home = await openBrokerHome({ message: () => stored.promise });
  t.after(home.close);
  const { cloud, trial, owner, orgId, enter } = home;
  const endedAt: number[] = [];
  const acknowledged: Promise<unknown>[] = [];
  for (let index = 0; index < gateways; index++) {
    const signer = await cloud.claim(owner, orgId);
    const client = await enter(signer, { reconnectPeriod: 0 });
    client.on('error', () => {}).on('close', () => endedAt.push(performance.now()));
    acknowledged.push(client.publishAsync(stateTopic(signer.serial), '{}', { qos: 1 }));
  }
  await until(() => trial.messages.length === gateways);

  const began = performance.now();
  const drained = trial.broker.drain(overMs);
  setTimeout(stored.resolve, overMs / 4);
  await assert.rejects(enter(home.gateway, { reconnectPeriod: 0, connectTimeout: 500 }));
  await drained;
  await Promise.all(acknowledged);
  await until(() => endedAt.length === gateways);
  const tookMs = performance.now() - began;
  assert.ok(tookMs > overMs * 0.6 && tookMs < overMs * 3, `${tookMs} ms`);
  const soon = endedAt.filter((at) => at - began < overMs / 2).length;
  assert.ok(soon > 0 && soon < gateways, `${soon} of ${gateways} ended in the first half`);
  assert.equal(trial.broker.isUp, true);
});
