import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DerValues, Values } from '#contract/gateway/reading.ts';
import { readFrom } from '../decode-modbus.ts';
import { decodeAll } from '../p1/testing/decode.ts';
import { testMeters } from '../p1/testing/meters.ts';
import { ambibox } from './ambibox.ts';
import { alignCurrents, currentPowerPairs } from './current-signs.ts';
import { ferroamp } from './ferroamp.ts';
import { ferroampDc2 } from './ferroamp-dc2.ts';
import { findModbusProfile, profiles } from './index.ts';
import type { MqttProfile } from './profile.ts';
import { devices } from './testing/devices.ts';
import { change, imageOf } from './testing/encode.ts';

type Reading = { profile: string; says: string; values: DerValues };

const start = 1_750_000_000_000;

/** Reads the test devices: unchanged, in their other states, and with each register negated in turn. */
async function readModbus(): Promise<Reading[]> {
  const readings: Reading[] = [];
  for (const device of devices) {
    const image = imageOf(device);
    const recognised = await findModbusProfile(device.profile)!.recognise(readFrom(image));
    readings.push({ profile: device.profile, says: device.says, values: await recognised.harvest() });
    for (const { says, ...registers } of device.later ?? []) {
      change(image, registers);
      readings.push({ profile: device.profile, says, values: await recognised.harvest() });
    }
    // Negate every register in turn, so that powers and currents occur with both signs.
    for (const table of ['holding', 'input'] as const) {
      for (const [address, word] of image[table]) {
        image[table].set(address, -word & 0xffff);
        const values = await recognised.harvest().catch(() => ({}));
        readings.push({ profile: device.profile, says: `${table} ${address} negated`, values });
        image[table].set(address, word);
      }
    }
  }
  return readings;
}

const phases = (key: string, values: readonly number[]) => ({
  [key]: Object.fromEntries(values.map((value, index) => [`L${index + 1}`, String(value)])),
});

/** Reads each MQTT device in one direction; its currents are magnitudes, which these devices may send. */
function readMqtt(direction: 1 | -1): Reading[] {
  const read = (profile: MqttProfile, messages: [topic: string, content: unknown][]): Reading => {
    const listener = profile.listen();
    for (const [topic, content] of messages) {
      const payload = new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content));
      listener.handle({ topic, payload, at: start, isRetained: false });
    }
    return { profile: profile.profile, says: `direction ${direction}`, values: listener.read(start) ?? {} };
  };
  const charger = (name: string, value: number): [string, string] => [`device/evCharger/0/${name}`, String(value)];
  return [
    read(ferroamp, [
      [
        'extapi/data/ehub',
        { ...phases('pext', [100 * direction, -50 * direction, 75]), ...phases('iext', [0.5, 0.2, 0.3]) },
      ],
      ['extapi/data/eso', { id: { val: '1' }, ubat: { val: '400' }, ibat: { val: String(-5 * direction) } }],
    ]),
    read(ambibox, [
      ...[1, 2, 3].flatMap((n) => [charger(`voltageAc${n}`, 230), charger(`currentAc${n}`, 6)]),
      charger('currentAc', 18),
      charger('currentDc', 10),
      charger('powerDc', 4000 * direction),
      charger('powerAc', 4140 * direction),
    ]),
    read(ferroampDc2, [['dc2/v2x/pecc', { PECCStatus2: { measuredVoltage: 400, measuredCurrent: 10 * direction } }]]),
  ];
}

const readP1 = (): Reading[] =>
  testMeters.map(({ name, bytes, keys }) => ({
    profile: 'p1_meter',
    says: name,
    values: { meter: decodeAll([bytes], keys).frames.at(-1)?.meter ?? {} },
  }));

const readings: Reading[] = [...(await readModbus()), ...readMqtt(1), ...readMqtt(-1), ...readP1()];

for (const { profile } of profiles) {
  test(`${profile}: every current has the sign of its power`, () => {
    const own = readings.filter((reading) => reading.profile === profile);
    assert.ok(own.length >= 2, 'the profile has a test device');
    const signs = new Map<string, Set<number>>();
    for (const { says, values } of own) {
      for (const [kind, fields] of Object.entries(values)) {
        for (const [current, power] of currentPowerPairs) {
          const [A, W] = [fields[current], fields[power]];
          if (A === undefined || W === undefined) continue;
          assert.ok(A * W >= 0, `${says}: ${kind} has ${A} A at ${W} W`);
          if (A * W > 0)
            signs.set(`${kind}.${current}`, (signs.get(`${kind}.${current}`) ?? new Set()).add(Math.sign(A)));
        }
      }
    }
    for (const [field, seen] of signs) {
      if (/^(battery|v2x_charger)\.(A|dc_A)$/.test(field))
        assert.equal(seen.size, 2, `${field} occurs with both signs`);
    }
  });
}

test('a current without power, or at zero power, keeps the sign that the device reports', () => {
  const values: Values = { A: -3, L1_A: 2, L1_W: 0, L2_A: -0.5, L2_W: 115 };
  assert.deepEqual(alignCurrents(values), { A: -3, L1_A: 2, L1_W: 0, L2_A: 0.5, L2_W: 115 });
});
