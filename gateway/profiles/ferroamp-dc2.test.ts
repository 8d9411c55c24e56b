import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ferroampDc2 } from './ferroamp-dc2.ts';
import type { MqttListener } from './profile.ts';

type Sent = [topic: string, content: unknown, options?: { at?: number; isRetained?: boolean }];

const start = 1_750_000_000_000;

function send(listener: MqttListener, ...[topic, content, options]: Sent): boolean {
  const { at = start, isRetained = false } = options ?? {};
  const payload = new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content));
  return listener.handle({ topic: `dc2/${topic}`, payload, at, isRetained });
}

function listenTo(...messages: Sent[]): MqttListener {
  const listener = ferroampDc2.listen();
  for (const message of messages) send(listener, ...message);
  return listener;
}

const pecc = (volts: unknown, amperes: unknown, more = {}) => ({
  PECCStatus2: { measuredVoltage: volts, measuredCurrent: amperes },
  ...more,
});
const psu = (volts: unknown, amperes: unknown) => ({
  'Measured values': { 'Battery Voltage': volts, 'Battery Current': amperes },
});
const charging: Sent = ['v2x/pecc', pecc(400, 12.5)];
const read = (...messages: Sent[]) => listenTo(...messages).read(start)?.v2x_charger;

suite('a DC2', () => {
  for (const { says, messages, watts } of [
    { says: 'power is voltage times current', messages: [charging], watts: 5000 },
    { says: 'discharging is negative', messages: [['pecc', pecc('400', '-10')]], watts: -4000 },
    { says: 'the power supply is the fallback', messages: [['v2x/psu', psu(410, 10)]], watts: 4100 },
    { says: 'the converter takes precedence', messages: [['v2x/psu', psu(410, 10)], charging], watts: 5000 },
    {
      says: 'older firmware sends single values',
      messages: [
        ['connector/1/pe/measured_voltage', '390'],
        ['connector/1/pe/measured_current', '-2'],
      ],
      watts: -780,
    },
    { says: 'a voltage without a current', messages: [['connector/1/pe/measured_voltage', '390']], watts: undefined },
    {
      says: 'two connectors are not mixed',
      messages: [
        ['connector/1/pe/measured_voltage', '390'],
        ['connector/2/pe/measured_current', '5'],
      ],
      watts: undefined,
    },
    { says: 'not a number', messages: [['pecc', pecc('400', null)]], watts: undefined },
    { says: 'implausibly large', messages: [['pecc', pecc(99_999, 99_999)]], watts: undefined },
    { says: 'not JSON', messages: [['pecc', '{']], watts: undefined },
    { says: 'retained by the broker', messages: [['pecc', pecc(400, 10), { isRetained: true }]], watts: undefined },
  ] as { says: string; messages: Sent[]; watts: number | undefined }[])
    test(`${says}: ${watts} W`, () => {
      const values = read(...messages);
      assert.equal(values?.W, watts);
      assert.equal(values?.dc_W, watts);
    });

  for (const { messages, status } of [
    { messages: [['system', { State: 'Charging' }]], status: 'charging' },
    { messages: [['v2x/system', { State: 'Discharging to grid' }]], status: 'discharging' },
    { messages: [['system', { State: 'EV connected' }]], status: 'suspended' },
    { messages: [['system', { State: 'Disconnected' }]], status: 'idle' },
    { messages: [['system', { State: 'Fault while charging' }]], status: 'error' },
    { messages: [], status: 'charging' },
    { messages: [['v2x/pecc', pecc(400, -1)]], status: 'discharging' },
    { messages: [['v2x/pecc', pecc(400, 0)]], status: 'idle' },
    {
      messages: [
        ['v2x/pecc', pecc(400, 0)],
        ['v2x/secc', { VehicleStatus: { evConnectionState: 'connected' } }],
      ],
      status: 'suspended',
    },
    {
      messages: [
        ['v2x/pecc', pecc(400, 0)],
        ['connector/1/ev/id_state', 'mated_ev_aux'],
      ],
      status: 'suspended',
    },
  ] as { messages: Sent[]; status: string }[])
    test(`${JSON.stringify(messages)} is ${status}`, () => {
      assert.equal(read(charging, ...messages)?.status, status);
    });

  test('reports the car, the session, the limits and the serial number', () => {
    const listener = listenTo(
      ['system', { Host: 'dc2-0042', State: 'Charging', 'Charged energy': '12.5 kWh', 'Discharged energy': '0.25' }],
      ['v2x/secc', { VehicleStatus: { batteryStateOfCharge: 81, evConnectionState: 'energyTransferAllowed' } }],
      [
        'v2x/pecc',
        pecc(400, 10, { PECCLimits1: { limitPowerMax: 15_000 }, PECCLimits3: { limitDischargePowerMax: -9000 } }),
      ],
    );
    assert.deepEqual(listener.read(start)?.v2x_charger, {
      status: 'charging',
      W: 4000,
      dc_W: 4000,
      dc_V: 400,
      dc_A: 10,
      vehicle_soc_fract: 0.81,
      session_charge_Wh: 12_500,
      session_discharge_Wh: 250,
      rated_power_W: 20_000,
      lower_limit_W: [-3000, -3000, -3000],
      upper_limit_W: [5000, 5000, 5000],
    });
    assert.equal(listener.serial(), 'dc2-0042');
  });

  for (const { text, Wh } of [
    { text: '12.5 kWh', Wh: 12_500 },
    { text: '12.5kWh', Wh: 12_500 },
    { text: '12.5', Wh: 12_500 },
    { text: 12.5, Wh: 12_500 },
    { text: '12500 Wh', Wh: 12_500 },
    { text: '0.0125 MWh', Wh: 12_500 },
    { text: '0', Wh: 0 },
    { text: '12.5 kW', Wh: undefined },
    { text: '-1', Wh: undefined },
    { text: '', Wh: undefined },
    { text: null, Wh: undefined },
    { text: {}, Wh: undefined },
  ]) {
    test(`a session of ${JSON.stringify(text)} is ${Wh} Wh`, () => {
      assert.equal(read(charging, ['system', { 'Charged energy': text }])?.session_charge_Wh, Wh);
      assert.equal(read(charging, ['v2x/system', { 'Discharged energy': text }])?.session_discharge_Wh, Wh);
    });
  }

  test('the session energy of older firmware is counted in the direction of the power', () => {
    const session = (amperes: string) =>
      read(
        ['connector/1/pe/measured_voltage', '390'],
        ['connector/1/pe/measured_current', amperes],
        ['connector/1/em/transferred_energy', '3.25'],
      );
    assert.partialDeepStrictEqual(session('10'), { session_charge_Wh: 3250 });
    assert.equal(session('10')?.session_discharge_Wh, undefined);
    assert.partialDeepStrictEqual(session('-10'), { session_discharge_Wh: 3250 });
    assert.equal(session('-10')?.session_charge_Wh, undefined);
  });

  test('an invalid serial number is ignored', () => {
    assert.equal(listenTo(['system', { Host: '../x' }]).serial(), undefined);
  });

  test('the state of charge is not reported after the car has left', () => {
    const gone = { VehicleStatus: { batteryStateOfCharge: 81, evConnectionState: 'disconnected' } };
    assert.equal(read(charging, ['v2x/secc', gone])?.vehicle_soc_fract, undefined);
  });

  test('a reading expires after 15 s and has the time of its last power', () => {
    const listener = listenTo(charging, ['system', { State: 'Charging' }, { at: start + 14_000 }]);
    assert.equal(listener.at('v2x_charger', start + 15_000), start);
    assert.equal(listener.read(start + 15_001), undefined);
  });

  test('an empty payload deletes a value', () => {
    const listener = listenTo(['connector/1/pe/measured_voltage', '390'], ['connector/1/pe/measured_current', '2']);
    assert.ok(listener.read(start));
    send(listener, 'connector/1/pe/measured_current', '');
    assert.equal(listener.read(start), undefined);
    assert.equal(read(charging, ['v2x/pecc', '']), undefined);
  });

  for (const [topic, content] of [
    ['ui/control/power', '{"value":5}'],
    ['connector/1/pe/unheard_of', '5'],
    ['connector/x/pe/measured_voltage', '5'],
    ['connector/1/toString', '5'],
    ['toString', '5'],
    ['system', '[]'],
    ['system', { State: 7 }],
  ] as const)
    test(`${topic} ${JSON.stringify(content)} is ignored`, () => {
      assert.equal(listenTo([topic, content]).read(start), undefined);
    });
});
