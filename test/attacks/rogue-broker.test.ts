import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTrialUplink, startBroker } from '#gateway/uplink/testing/trial.ts';
import { systemClock } from '#lib/clock.ts';
import { sungrowHybrid } from '#sim/modbus/banks/sungrow.ts';
import { openControlled, serial } from '../faults/control-setup.ts';
import { selfSigned } from '../self-signed.ts';
import { until } from '../until.ts';

const { cert, key } = selfSigned();
const other = selfSigned();
const tries = 100;

/** A gateway with an inverter that trusts one authority, and a broker with a certificate of that or another one. */
async function openHome(t: TestContext, { tls = { cert, key }, host = 'localhost' } = {}) {
  const broker = await startBroker({ tls });
  t.after(() => broker.close());
  const controlled = await openControlled(t, sungrowHybrid('S1'));
  const { uplink } = await openTrialUplink(t, {
    serial,
    ca: cert,
    clock: systemClock,
    onCommand: controlled.control.onCommand,
  });
  t.after(() => uplink.close());
  uplink.setBrokers(broker.url.replace('localhost', host));
  uplink.start();
  const topicOf = (gateway: string): string => `control/${gateway}/battery/${controlled.device.sn}/ems/commands`;
  const commandOf = (id: string): string =>
    JSON.stringify({ command_id: id, power_w: 1000, ttl_s: 60, timestamp: systemClock.now() });
  return { broker, uplink, topicOf, commandOf, ...controlled };
}

suite('commands of a rogue broker', () => {
  for (const { title, of } of [
    { title: 'with a certificate of another authority', of: { tls: { cert: other.cert, key: other.key } } },
    { title: 'whose name differs from its certificate', of: { host: '127.0.0.1' } },
  ]) {
    test(`${title} are not received`, async (t) => {
      const { broker, uplink, topicOf, commandOf, battery, acks } = await openHome(t, of);
      for (let n = 0; n < tries; n++) {
        broker.publish({ topic: topicOf(serial), payload: commandOf(`c${n}`) });
        broker.force({ topic: topicOf(serial), payload: commandOf(`f${n}`) });
        assert.equal(uplink.isConnected(), false);
        await sleep(10);
      }
      assert.deepEqual([acks, battery()[0], broker.logins], [[], 'self-consumption', []]);
    });
  }

  test('that are retained, or addressed to another gateway, are not carried out', async (t) => {
    const { broker, uplink, topicOf, commandOf, battery, acks } = await openHome(t);
    await until(() => uplink.isConnected());
    for (let n = 0; n < tries; n++) {
      broker.force({ topic: topicOf(serial), payload: commandOf(`r${n}`), retain: true });
      broker.force({ topic: topicOf('ohm-7766554433221100'), payload: commandOf(`o${n}`) });
    }
    broker.force({ topic: topicOf(serial), payload: commandOf('ours') }); // behind all of them
    await until(() => battery()[0] === 'forced');
    assert.deepEqual(new Set(acks.map(({ command_id }) => command_id)), new Set(['ours']));
  });
});
