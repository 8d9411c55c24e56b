import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GatewayPlan, Intent } from '#contract/gateway-plan.ts';
import { resolveDeviceAddress } from '#gateway/devices/resolve-address.ts';
import { createExecutor } from '#gateway/plan/executor.ts';
import { systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { sungrowHybrid } from '#sim/modbus/banks/sungrow.ts';
import { until } from '../until.ts';
import { openControlled } from './control-setup.ts';

const log = createLog({ level: 'silent', name: 'test' });
const powerRegister = 13_051;

/** A gateway that follows a plan for one battery. */
async function openFollowing(
  t: Parameters<typeof openControlled>[0],
  first: Intent,
  changes: Partial<GatewayPlan> = {},
) {
  const controlled = await openControlled(t, sungrowHybrid('S1'), { planLeaseMs: 1500 });
  const { control, devices, inverter } = controlled;
  const now = systemClock.now();
  const planOf = (intent: Intent): GatewayPlan => ({
    id: 'plan-1',
    made_at: now,
    ends_at: now + 3_600_000,
    window_s: 3600,
    utc_offset_s: 0,
    storages: [
      {
        id: 'der-1',
        sn: 'S1',
        kind: 'battery',
        capacity_wh: 10_000,
        min_wh: 500,
        max_wh: 10_000,
        charge_w: 9000, // more than the device can
        discharge_w: 9000,
      },
    ],
    steps: [{ start: now - 1000, s: 3600, grid_w: 0, intents: { 'der-1': intent } }],
    ...changes,
  });
  let plan: GatewayPlan | undefined = planOf(first);
  const executor = createExecutor({
    held: { current: () => plan, refusal: () => undefined, isEnabled: () => true },
    devices: () => devices.list(),
    setpoints: control.plan,
    isTimeKnown: () => true,
    onChange: () => {},
    clock: systemClock,
    log,
  });
  executor.start();
  t.after(executor.close);
  return {
    ...controlled,
    executor,
    state: () => executor.progress()?.state,
    power: () => inverter.device.setting(powerRegister),
    isForced: () => inverter.device.mode() === 'forced',
    setPlan(intent: Intent | undefined): void {
      plan = intent && planOf(intent);
    },
  };
}

const charge = (power_w: number): Intent => ({ mode: 'charge', power_w, wh: 10_000 });

suite('a gateway that follows a plan', { concurrency: 4 }, () => {
  test('charges, changes its setpoint with the plan and returns the device to automatic when that is withdrawn', async (t) => {
    const { power, isForced, setPlan, state, executor } = await openFollowing(t, charge(1500));
    await until(() => power() === 1500 && isForced());
    assert.equal(state(), 'following');
    assert.equal(executor.shown().now?.devices[0]?.power_w, 1500);
    setPlan(charge(9000));
    await until(() => power() === 5000, Boolean, 15_000); // the most that the device allows
    setPlan(undefined);
    await until(() => !isForced());
    assert.equal(state(), undefined);
  });

  test('writes no setpoint that it prepared while the gateway stops', async (t) => {
    const slow = Promise.withResolvers<void>();
    const { control, battery } = await openControlled(t, sungrowHybrid('S1'), {
      addressOf: async ({ kept }) => {
        await slow.promise;
        return resolveDeviceAddress(kept.connection, { resolve: async (host) => host });
      },
    });
    control.plan.hold('S1', 'battery', 1500);
    await control.close();
    slow.resolve();
    await sleep(500);
    assert.deepEqual([battery()[0], control.status()], ['self-consumption', []]);
  });

  test('extends the lease of an unchanged setpoint without writing to the device', async (t) => {
    const { power, control, inverter, isForced } = await openFollowing(t, charge(1500));
    await until(() => power() === 1500 && control.status()[0]?.held.length === 1);
    let writes = 0;
    const { write } = inverter.device;
    inverter.device.write = (...args) => {
      writes++;
      write(...args);
    };
    await new Promise((done) => setTimeout(done, 3500));
    assert.ok(isForced(), 'more than two leases later');
    assert.equal(writes, 0);
    assert.equal(control.status()[0]?.held[0]?.origin, 'plan');
  });

  test("yields to a person's command until it ends, and keeps away when a person returns the device to automatic", async (t) => {
    const { power, post, state, isForced, control } = await openFollowing(t, charge(1500));
    await until(() => power() === 1500 && isForced());
    await post('battery', { power_w: -700, ttl_s: 3 });
    await until(() => power() === 700 && state() === 'overridden');
    await until(() => power() === 1500 && isForced() && state() === 'following', Boolean, 10_000);
    await post('deinit');
    await until(() => !isForced() && state() === 'overridden');
    await new Promise((done) => setTimeout(done, 2500));
    assert.deepEqual(control.status(), []);
  });

  test('returns the device to automatic when the grid meter is silent', async (t) => {
    const { power, isForced, device, state } = await openFollowing(t, charge(1500));
    await until(() => power() === 1500 && isForced());
    const { silentMs } = device;
    device.silentMs = (kinds) => (kinds?.includes('meter') ? 30_001 : silentMs.call(device, kinds));
    await until(() => !isForced() && state() === 'waiting');
  });
});
