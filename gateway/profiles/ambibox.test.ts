import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ambibox } from './ambibox.ts';
import type { MqttListener } from './profile.ts';

type Options = { at?: number; isRetained?: boolean; id?: string };

const start = 1_750_000_000_000;

function send(listener: MqttListener, name: string, text: string, options: Options = {}): boolean {
  const { at = start, isRetained = false, id = '0' } = options;
  const payload = new TextEncoder().encode(text);
  return listener.handle({ topic: `device/evCharger/${id}/${name}`, payload, at, isRetained });
}

function charging(values: Record<string, string> = {}, options?: Options): MqttListener {
  const listener = ambibox.listen();
  for (const [name, text] of Object.entries({ powerAc: '5000', ...values })) send(listener, name, text, options);
  return listener;
}

const read = (values: Record<string, string>) => charging(values).read(start)?.v2x_charger;

suite('a charger', () => {
  for (const [values, field, value] of [
    [{ powerAc: '-3200.5' }, 'W', -3200.5],
    [{ powerDc: '4800' }, 'dc_W', 4800],
    [{ voltageAc2: '229.5', currentAc2: '10' }, 'L2_W', 2295],
    [{ voltageAc2: '229.5' }, 'L2_W', undefined],
    [{ soc: '64' }, 'vehicle_soc_fract', 0.64],
    [{ soc: '0.64' }, 'vehicle_soc_fract', 0.64],
    [{ soc: '164' }, 'vehicle_soc_fract', undefined],
    [{ soc: '64', evConnected: 'false' }, 'vehicle_soc_fract', undefined],
    [{ minEnergyRequest: '-9000' }, 'ev_min_energy_req_Wh', -9000],
    [{ energyAcImport: '-1' }, 'total_charge_Wh', undefined],
    [{ energyAcExportSession: '12' }, 'session_discharge_Wh', 12],
    [{ frequency: '50,1' }, 'Hz', undefined],
    [{ chargePowerMax: '11000', dischargePowerMax: '9000' }, 'rated_power_W', 11_000],
    [{ currentAc1: 'Infinity' }, 'L1_A', undefined],
  ] as const)
    test(`${JSON.stringify(values)} gives ${field} ${value}`, () => {
      assert.equal(read(values)?.[field], value);
    });

  test('limits are reported per phase', () => {
    assert.deepEqual(
      read({ chargePowerMax: '12000', dischargePowerMax: '6000' })?.lower_limit_W,
      [-2000, -2000, -2000],
    );
    assert.deepEqual(read({ chargePowerMax: '12000' })?.upper_limit_W, [4000, 4000, 4000]);
    assert.deepEqual(read({ chargePowerMax: '12000' })?.lower_limit_W, [0, 0, 0]);
    assert.equal(read({})?.upper_limit_W, undefined);
  });

  for (const [values, status] of [
    [{ connected: 'false', evConnected: 'true', sessionState: 'CHARGE_LOOP' }, 'error'],
    [{ replugRequired: 'true', evConnected: 'true' }, 'error'],
    [{ sessionState: 'ERROR', evConnected: 'true' }, 'error'],
    [{ evConnected: 'false', sessionState: 'STOPPED' }, 'available'],
    [{ evConnected: 'true', sessionState: 'CHARGE_LOOP' }, 'charging'],
    [{ evConnected: 'true', sessionState: 'CHARGE_LOOP', powerAc: '-4000' }, 'charging'],
    [{ evConnected: 'true', sessionState: 'CHARGE_LOOP', powerAc: '-50' }, 'suspended'],
    [{ evConnected: 'true', sessionState: 'AUTHORIZATION' }, 'preparing'],
    [{ evConnected: '1' }, 'preparing'],
    [{}, undefined],
  ] as const)
    test(`${JSON.stringify(values)} is ${status}`, () => {
      assert.equal(read(values)?.status, status);
    });

  test('an empty payload deletes a value', () => {
    const listener = charging({ soc: '50' });
    send(listener, 'soc', '');
    assert.deepEqual(listener.read(start), { v2x_charger: { W: 5000 } });
    send(listener, 'powerAc', '');
    assert.equal(listener.read(start), undefined);
  });

  test('a position such as 0 is not a serial number', () => {
    assert.equal(charging().serial(), undefined);
    assert.equal(charging({}, { id: 'AB-1234' }).serial(), 'AB-1234');
  });
});

suite('the age of the values of a charger', () => {
  test('only a new power completes a reading', () => {
    const listener = ambibox.listen();
    assert.equal(send(listener, 'soc', '50'), false);
    assert.equal(send(listener, 'powerAc', '5000', { isRetained: true }), false);
    assert.equal(send(listener, 'powerAc', '5000'), true);
  });

  test('a reading has the time of its power and expires with it', () => {
    const listener = charging();
    send(listener, 'soc', '50', { at: start + 10_000 });
    assert.equal(listener.at('v2x_charger', start + 10_000), start);
    assert.ok(listener.read(start + 15_000));
    assert.equal(listener.read(start + 15_001), undefined);
  });

  test('retained messages are used for limits and states, not for measurements', () => {
    const isRetained = true;
    const values = { powerAc: '1', soc: '50', chargePowerMax: '12000', evConnected: 'true', voltageAc1: '230' };
    const listener = charging(values, { isRetained });
    assert.equal(listener.read(start), undefined);
    send(listener, 'powerAc', '0');
    assert.deepEqual(listener.read(start)?.v2x_charger, {
      status: 'preparing',
      W: 0,
      rated_power_W: 12_000,
      lower_limit_W: [0, 0, 0],
      upper_limit_W: [4000, 4000, 4000],
    });
  });

  test('voltages are valid for one minute, counters for ten', () => {
    const listener = charging({ voltageAc1: '230', energyAcImport: '900' });
    for (const [at, fields] of [
      [start + 60_000, ['W', 'L1_V', 'total_charge_Wh']],
      [start + 60_001, ['W', 'total_charge_Wh']],
      [start + 600_001, ['W']],
    ] as const) {
      send(listener, 'powerAc', '5000', { at });
      assert.deepEqual(Object.keys(listener.read(at)!.v2x_charger!), fields);
    }
  });
});

suite('messages that are not of the charger', () => {
  for (const [topic, payload] of [
    ['device/evCharger/0/unheardOf', '5'],
    ['device/evCharger/0/toString', '5'],
    ['device/evCharger/0/powerAc/more', '5'],
    ['device/evCharger//powerAc', '5'],
    ['device/evCharger/a b/powerAc', '5'],
    ['device/ess/0/powerAc', '5'],
    ['device/evCharger/0/powerAc', '5 W'],
    ['device/evCharger/0/powerAc', '{"val":5}'],
    ['device/evCharger/0/powerAc', '1'.repeat(100)],
    ['device/evCharger/0/evConnected', 'perhaps'],
    ['device/evCharger/0/sessionState', 'two words'],
    ['device/evCharger/0/powerAc', new Uint8Array([0x35, 0xff])],
  ] as const)
    test(`${topic} ${String(payload).slice(0, 20)} is ignored`, () => {
      const listener = ambibox.listen();
      const bytes = typeof payload === 'string' ? new TextEncoder().encode(payload) : payload;
      assert.equal(listener.handle({ topic, payload: bytes, at: start, isRetained: false }), false);
      assert.equal(listener.read(start), undefined);
    });

  test('another charger on the broker is another device', () => {
    const listener = charging();
    assert.equal(send(listener, 'powerAc', '9000', { id: '1' }), false);
    assert.equal(listener.read(start)?.v2x_charger?.W, 5000);
  });

  test('chargers with only retained messages do not block an active one', () => {
    const listener = ambibox.listen();
    for (let id = 0; id < 50; id++) send(listener, 'powerAc', '1', { id: `ghost-${id}`, isRetained: true });
    assert.equal(send(listener, 'powerAc', '7000', { id: '0' }), true);
    assert.equal(listener.read(start)?.v2x_charger?.W, 7000);
  });
});
