import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readFrom } from '../../decode-modbus.ts';
import { profiles } from '../index.ts';
import { f32le, i16, imageOf, type Registers, u16, u32 } from '../testing/encode.ts';
import { chain, model } from '../testing/sunspec-words.ts';
import type { Facts, ModbusControl, MqttControl } from './control-profile.ts';
import { type ControlProfile, controls, findControl } from './index.ts';
import { isWritten, lastingWrites, readBacksOf, requestsOf, set, setPower, type Write, wordsFor } from './write.ts';

const modbus = (profile: string): ModbusControl => findControl(profile) as ModbusControl;

const asked = (W: number, previousW = 0, count = 7) => ({ W, previousW, count });

/** `44002=65535,63536`: address and words, in the order in which they are written. */
const shown = (writes: readonly Write[]): string =>
  requestsOf(writes)
    .map(({ address, words }) => `${address}=${words.join(',')}`)
    .join(' ');

// Devices without a simulator; values from the vendors' documents.
for (const { profile, take = '', charge, discharge, rest, release } of [
  {
    profile: 'foxess',
    take: '44001=60 44000=1',
    charge: '44002=65535,63036',
    discharge: '44002=0,1500',
    rest: '44002=0,0',
    release: '44000=0 41000=0',
  },
  {
    profile: 'foxess_h3_smart',
    take: '46002=60 46001=1',
    charge: '46003=65535,63036',
    discharge: '46003=0,1500',
    rest: '46003=0,0',
    release: '46001=0 49203=1',
  },
  {
    profile: 'pixii',
    charge: '39903=7 39905=65535,63036',
    discharge: '39903=7 39905=0,1500',
    rest: '39903=7 39905=0,0',
    release: '39905=0,0',
  },
  {
    profile: 'kostal',
    charge: '1034=16384,50460',
    discharge: '1034=32768,17595',
    rest: '1034=0,0',
    release: '1034=0,0',
  },
  {
    profile: 'solinteg',
    take: '50000=771',
    charge: '50207=65286',
    discharge: '50207=150',
    rest: '50207=0',
    release: '50000=257',
  },
  {
    profile: 'ferroamp_modbus',
    charge: '6064=0,49184 6000=1',
    discharge: '6064=0,16320 6000=1',
    rest: '6064=0,0 6000=1',
    release: '6000=0 6064=0,0',
  },
  {
    profile: 'sofar',
    take: '4368=3',
    charge: '4487=0,0,0,2500,0,2500',
    discharge: '4487=0,0,65535,64036,65535,64036',
    rest: '4487=0,0,0,0,0,0',
    release: '4368=0',
  },
  {
    profile: 'alpha_ess',
    charge: '2177=0,29500 2181=2 2182=250 2183=0,60 2176=1',
    discharge: '2177=0,33500 2181=2 2182=25 2183=0,60 2176=1',
    rest: '2177=0,32000 2181=2 2182=250 2183=0,60 2176=1',
    release: '2176=0',
  },
]) {
  test(`${profile} is controlled to charge, discharge and idle`, () => {
    const control = modbus(profile);
    assert.deepEqual(
      {
        take: shown(control.acquire?.({}) ?? []),
        charge: shown(control.battery!.set(asked(2500), {})),
        discharge: shown(control.battery!.set(asked(-1500), {})),
        rest: shown(control.battery!.set(asked(0), {})),
        release: shown(control.battery!.release({})),
      },
      { take, charge, discharge, rest, release },
    );
  });
}

test('a FoxESS H3 Smart is set to zero when the direction changes', () => {
  const writes = modbus('foxess_h3_smart').battery!.set(asked(-1000, 2000), {});
  assert.equal(shown(writes), '46003=0,0 46003=0,1000');
  assert.deepEqual(
    lastingWrites(writes).map(({ value }) => value),
    [1000],
    'the last write remains',
  );
});

test('a Fronius is allowed to charge from the grid during control, and its permission is restored afterwards', async () => {
  const { learn, battery } = modbus('fronius');
  const storage = { 2: u16(5000), 18: i16(0), 25: i16(-2) };
  const placed = async (before: number): Promise<Facts> =>
    learn!(readFrom(imageOf({ holding: { 40000: chain(model(124, 24, { ...storage, 17: u16(before) })) } })));
  const [forbidden, allowed] = [await placed(0), await placed(1)];
  const limited = '40015=5000 40014=60536 40017=60 40007=3';
  assert.deepEqual(
    {
      charge: shown(battery!.set(asked(2500), forbidden)),
      rest: shown(battery!.set(asked(0), forbidden)),
      release: shown(battery!.release(forbidden)),
      chargeAllowed: shown(battery!.set(asked(2500), allowed)),
      releaseAllowed: shown(battery!.release(allowed)),
    },
    {
      charge: `40019=1 ${limited}`,
      rest: '40015=0 40014=0 40017=60 40007=3',
      release: '40007=0 40019=0',
      chargeAllowed: limited,
      releaseAllowed: '40007=0',
    },
  );
});

const learned = async (profile: string, holding: Registers): Promise<Facts> =>
  modbus(profile).learn!(readFrom(imageOf({ holding })));

test('a Kostal reports the maximum powers of its battery', async () => {
  const registers = { 1038: f32le(5000), 1040: f32le(4600.5) };
  assert.deepEqual(await learned('kostal', registers), { charge_W: 5000, discharge_W: 4600.5 });
});

test('a Huawei without a battery reports no limits and cannot be controlled', async () => {
  const nothing = u32(0x7fff_ffff);
  const facts = await learned('huawei', { 37046: [...nothing, ...nothing], 47415: [...u16(0x7fff), ...nothing] });
  assert.deepEqual(facts, {});
  assert.throws(() => modbus('huawei').battery!.set(asked(1000), facts), { name: 'MissingFact' });
});

test('an Ambibox reports that it can charge but not discharge', () => {
  const { learn } = findControl('ambibox') as MqttControl;
  const learned = (name: string, payload: string) =>
    learn!({ topic: `device/evCharger/0/${name}`, payload: Buffer.from(payload), isRetained: true, at: 0 });
  assert.deepEqual(learned('chargePowerMax', '11000'), { charge_W: 11_000 });
  assert.deepEqual(learned('dischargePowerMax', '0'), { discharge_W: 0 });
  assert.equal(learned('dischargePowerMax', ''), undefined);
});

test('a DC2 never gets more than 100 %, even if the voltage has dropped since the check', () => {
  const { battery } = findControl('ferroamp_dc2') as MqttControl;
  const percentOf = (W: number): number => {
    const steps = battery!.set(asked(W), { charge_W: 15_000, discharge_W: 15_000 }, { unixS: 0, transId: () => '' });
    return JSON.parse(steps.at(-1)!.payload).value;
  };
  assert.deepEqual([20_000, 7500, -20_000].map(percentOf), [100, 50, -100]);
});

test('every control profile belongs to a profile with that part', () => {
  for (const control of controls) {
    const profile = profiles.find((each) => each.profile === control.profile);
    assert.ok(profile, control.profile);
    if (control.battery) assert.ok(profile.kinds.some((kind) => kind === 'battery' || kind === 'v2x_charger'));
    if (control.pv) assert.ok(profile.kinds.includes('pv'));
  }
});

test('only controls proven on hardware have high confidence', () => {
  const proven = controls.filter(({ confidence }) => confidence === 'high').map(({ profile }) => profile);
  assert.deepEqual(proven.toSorted(), ['ferroamp', 'pixii', 'sungrow']);
});

test('setpoints are refreshed three times before they expire', () => {
  const isExpiring = (control: ControlProfile): boolean => control.revertsAfterMs !== undefined;
  for (const { profile, refreshMs, revertsAfterMs } of controls.filter(isExpiring))
    assert.ok(refreshMs! * 3 <= revertsAfterMs!, profile);
});

test('encoded words decode to the same number', () => {
  const wordOrder = fc.constantFrom('big' as const, 'little' as const);
  const number = fc.oneof(
    fc.record({ type: fc.constant('u16' as const), value: fc.integer({ min: 0, max: 0xfffe }) }),
    fc.record({ type: fc.constant('i16' as const), value: fc.integer({ min: -0x7fff, max: 0x7ffe }) }),
    fc.record({ type: fc.constant('u32' as const), value: fc.integer({ min: 0, max: 0xffff_fffe }) }),
    fc.record({ type: fc.constant('i32' as const), value: fc.integer({ min: -0x7fff_ffff, max: 0x7fff_fffe }) }),
    fc.record({ type: fc.constant('f32' as const), value: fc.integer({ min: -20_000, max: 20_000 }) }),
  );
  fc.assert(
    fc.property(number, wordOrder, fc.integer({ min: 11, max: 1000 }), ({ type, value }, wordOrder, off) => {
      const write = setPower(100, value, { type, wordOrder });
      assert.ok(isWritten(write, wordsFor(write)));
      const other = { ...write, value: value > 0 ? value - off : value + off };
      if (type.startsWith('u') && other.value < 0) return;
      assert.ok(!isWritten(write, wordsFor(other)), 'a different number does not match');
    }),
  );
});

test('a number that does not fit throws a RangeError', () => {
  for (const write of [set(1, -1), set(1, 65_536), set(1, 0.5), set(1, Number.NaN), set(1, 40_000, { type: 'i16' })])
    assert.throws(() => wordsFor(write), RangeError);
});

test('a power may be rounded to 10 W, and adjacent registers are read back in one request', () => {
  const writes = [set(10, 2), set(11, 0xaa), setPower(12, 1234), set(20, 1), set(30, 1, { isMomentary: true })];
  assert.deepEqual(
    readBacksOf(writes).map(({ address, count }) => [address, count]),
    [
      [10, 3],
      [20, 1],
    ],
  );
  assert.deepEqual(
    [1230, 1244, 1245].map((W) => isWritten(writes[2]!, [W])),
    [true, true, false],
  );
});
