import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { type GatewayPlan, type PlanProgress, planType } from '#contract/gateway-plan.ts';
import { keysType } from '#contract/manage.ts';
import { planTopic, platformMessage, platformTopic, stateTopic } from '#contract/topics.ts';
import { systemClock } from '#lib/clock.ts';
import { signTyped } from '#lib/keys/typed-message.ts';
import { sungrowHybrid } from '#sim/modbus/banks/sungrow.ts';
import { startBroker } from '#sim/mqtt/broker.ts';
import { startInverter } from '../faults/control-inverter.ts';
import { until } from '../until.ts';
import { openGateway } from './open-gateway.ts';

const iss = 'urn:ohmstead:00000000-0000-4000-8000-000000000000';
const powerRegister = 13_051;

test('a gateway follows the signed plan of its platform, also offline after a restart, until a person switches that off', async (t) => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = { kid: 'key-1', privateKey, x: publicKey.export({ format: 'jwk' }).x! };
  const now = systemClock.now();
  const iat = Math.floor(now / 1000);
  let reported: PlanProgress | undefined;
  let serial = '';
  const broker = await startBroker({
    port: 0,
    receive(topic, payload) {
      if (topic === stateTopic(serial)) reported = JSON.parse(payload).plan;
    },
  });
  const inverter = await startInverter(sungrowHybrid('PLAN1'));
  const gateway = await openGateway({ UPLINK_URL: `mqtt://${broker.host}:${broker.port}`, HARVEST_MS: '200' });
  t.after(async () => {
    await gateway.close();
    await inverter.close();
    await broker.close();
  });
  ({ serial } = gateway);
  assert.equal((await gateway.call('POST', '/api/devices', inverter.connection)).status, 201);
  await gateway.call('POST', '/api/control/PLAN1/confirm', {});

  const plan: GatewayPlan = {
    id: 'plan-1',
    made_at: now,
    ends_at: now + 3_600_000,
    window_s: 3600,
    utc_offset_s: 0,
    storages: [
      {
        id: 'der-1',
        sn: 'PLAN1',
        kind: 'battery',
        capacity_wh: 10_000,
        min_wh: 500,
        max_wh: 10_000,
        charge_w: 3000,
        discharge_w: 3000,
      },
    ],
    steps: [
      {
        start: now - 60_000,
        s: 3600,
        grid_w: 0,
        intents: { 'der-1': { mode: 'charge', power_w: 1200, wh: 9000 } },
        reason: 'Charging at 0.40 kr now saves 0.90 kr at 17:00.',
      },
    ],
  };
  const list = { iss, iat, keys: [{ kid: key.kid, x: key.x }] };
  broker.publish(planTopic(serial), signTyped(planType, { iss, aud: serial, iat, plan }, key), { retain: true });
  const introduce = setInterval(() => {
    broker.publish(platformTopic(serial), platformMessage(iss, signTyped(keysType, list, key)));
  }, 100);
  t.after(() => clearInterval(introduce));

  const isCharging = (): boolean =>
    inverter.device.mode() === 'forced' && inverter.device.setting(powerRegister) === 1200;
  await until(isCharging, Boolean, 10_000);
  await until(
    () => reported,
    (plan) => plan?.state === 'following',
  );
  const shown = (await gateway.call('GET', '/api/plan')).body;
  assert.deepEqual(shown.progress, { id: 'plan-1', state: 'following' });
  assert.deepEqual(
    [shown.now.reason, shown.now.devices],
    [plan.steps[0]!.reason, [{ sn: 'PLAN1', kind: 'battery', mode: 'charge', power_w: 1200 }]],
  );

  clearInterval(introduce);
  await broker.close();
  await gateway.restart();
  await until(isCharging, Boolean, 15_000);

  assert.equal((await gateway.call('POST', '/api/control/PLAN1/deinit', {})).status, 202);
  await until(() => inverter.device.mode() === 'self-consumption', Boolean, 10_000);
  await gateway.restart();
  await until(
    async () => (await gateway.call('GET', '/api/plan')).body.progress?.state === 'overridden',
    Boolean,
    15_000,
  );
  assert.equal(inverter.device.mode(), 'self-consumption');
  await gateway.call('POST', '/api/plan', { enabled: true });
  await until(isCharging, Boolean, 15_000);

  const { body } = await gateway.call('POST', '/api/plan', { enabled: false });
  assert.deepEqual([body.enabled, body.progress.state], [false, 'refused']);
  await until(() => inverter.device.mode() === 'self-consumption', Boolean, 10_000);
  await until(async () => (await gateway.call('GET', '/api/status')).body.control.length === 0);
});
