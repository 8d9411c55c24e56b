import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createFakeClock } from '#test/fake-clock.ts';
import { fixedHouse } from '../testing/fixed-house.ts';
import type { Bank } from './bank.ts';
import { deye } from './banks/deye.ts';
import { goodwe } from './banks/goodwe.ts';
import { huawei } from './banks/huawei.ts';
import { sdm630 } from './banks/sdm630.ts';
import { sma } from './banks/sma.ts';
import { solaredge } from './banks/solaredge.ts';
import { solis } from './banks/solis.ts';
import { sungrowHybrid, sungrowString } from './banks/sungrow.ts';
import { froniusGen24, froniusSmartMeter } from './banks/sunspec.ts';
import { victron } from './banks/victron.ts';
import { createDevice } from './device.ts';
import { f32, f32le, i16, i32, i32le, text, u16, u32, u32le, u64, u64le } from './testing/decode-by-hand.ts';

// pv 5000 W, battery charges 1200 W at 404 V and 40 %, 1040 W load: 2760 W are exported.
const values = {
  pv_W: -5000,
  battery_W: 1200,
  battery_soc_fract: 0.4,
  load_W: 1040,
  Hz: 50.02,
  V: [231.5, 229.4, 230.1] as const,
  Wh: { generated: 9_876_543_000, imported: 5_000_100, exported: 70_000_200, charged: 300_300, discharged: 200_400 },
};
const discharging = { ...values, pv_W: 0, battery_W: -800 };

type Decode = (words: number[]) => number | string;
type Reading = [table: 'input' | 'holding', address: number, count: number, decode: Decode, expected: number | string];

const table: [name: string, bank: Bank, readings: Reading[], house?: typeof values][] = [
  [
    'Sungrow hybrid',
    sungrowHybrid('SIM1234567'),
    [
      ['input', 4989, 10, text, 'SIM1234567'],
      ['input', 4999, 1, u16, 0x0e03],
      ['input', 5000, 1, u16, 100],
      ['input', 5016, 2, u32le, 5000],
      ['input', 5600, 2, i32le, -2760],
      ['input', 5740, 1, u16, 2315],
      ['input', 5241, 1, u16, 5002],
      ['input', 13_000, 1, u16, 0b01_1011],
      ['input', 13_002, 2, u32le, 98_765_430],
      ['input', 13_009, 2, i32le, 2760],
      ['input', 13_021, 1, i16, 1200],
      ['input', 13_022, 1, u16, 400],
      ['input', 13_026, 2, u32le, 2004],
      ['input', 13_036, 2, u32le, 50_001],
      ['input', 13_040, 2, u32le, 3003],
      ['input', 13_045, 2, u32le, 700_002],
    ],
  ],
  [
    'Sungrow hybrid that discharges, older firmware',
    sungrowHybrid('SIM1'),
    [
      ['input', 13_000, 1, u16, 0b10_1100],
      ['input', 13_021, 1, i16, 800],
    ],
    discharging,
  ],
  [
    'Sungrow hybrid that discharges, newer firmware',
    sungrowHybrid('SIM1', { isSigned: true }),
    [['input', 13_021, 1, i16, -800]],
    discharging,
  ],
  [
    'Sungrow string',
    sungrowString('SIM2'),
    [
      ['input', 4999, 1, u16, 0x243d],
      ['input', 5003, 2, u32le, 9_876_543],
      ['input', 5600, 2, i32le, -2760],
    ],
  ],
  [
    'Huawei',
    huawei('SIMHUAWEI1'),
    [
      ['holding', 30_000, 15, text, 'SUN2000-10KTL-M1 SIM'],
      ['holding', 30_015, 10, text, 'SIMHUAWEI1'],
      ['holding', 30_073, 2, u32, 10_000],
      ['holding', 32_064, 2, i32, 5000],
      ['holding', 32_080, 2, i32, 3800],
      ['holding', 32_106, 2, u32, 987_654_300],
      ['holding', 37_113, 2, i32, 2760],
      ['holding', 37_101, 2, i32, 2315],
      ['holding', 37_119, 2, i32, 7_000_020],
      ['holding', 37_121, 2, i32, 500_010],
      ['holding', 37_760, 1, u16, 400],
      ['holding', 37_765, 2, i32, 1200],
      ['holding', 37_780, 2, u32, 30_030],
      ['holding', 37_782, 2, u32, 20_040],
    ],
  ],
  [
    'SolarEdge',
    solaredge('SIMSE1'),
    [
      ['holding', 40_000, 2, u32, 0x53756e53],
      ['holding', 40_004, 16, text, 'SolarEdge'],
      ['holding', 40_052, 16, text, 'SIMSE1'],
      ['holding', 40_069, 1, u16, 103],
      ['holding', 40_083, 1, i16, 3800], // AC side: 5000 W minus the charging power
      ['holding', 40_084, 1, i16, 0],
      ['holding', 40_188, 1, u16, 203],
      ['holding', 40_206, 1, i16, 2760],
      ['holding', 40_210, 1, i16, 0],
      ['holding', 40_226, 2, u32, 70_000_200],
      ['holding', 40_234, 2, u32, 5_000_100],
      ['holding', 40_295, 1, u16, 0xffff],
      ['holding', 0xe142, 2, f32le, 10_000],
      ['holding', 0xe174, 2, f32le, 1200],
      ['holding', 0xe176, 4, u64le, 200_400],
      ['holding', 0xe184, 2, f32le, 40],
    ],
  ],
  [
    'Deye, low voltage',
    deye('SIMDEYE001', 'low'),
    [
      ['holding', 0, 1, u16, 5],
      ['holding', 3, 5, text, 'SIMDEYE001'],
      ['holding', 20, 2, u32le, 120_000],
      ['holding', 672, 1, u16, 3000],
      ['holding', 673, 1, u16, 2000],
      ['holding', 587, 1, u16, 5040],
      ['holding', 588, 1, u16, 40],
      ['holding', 590, 1, i16, -1200],
      ['holding', 591, 1, i16, -2381],
      ['holding', 625, 1, i16, -2760],
    ],
  ],
  [
    'Deye, high voltage',
    deye('SIMDEYE002', 'high'),
    [
      ['holding', 0, 1, u16, 6],
      ['holding', 672, 1, u16, 300],
      ['holding', 587, 1, u16, 4040],
      ['holding', 590, 1, i16, -120],
      ['holding', 625, 1, i16, -2760],
    ],
  ],
  [
    'SMA',
    sma(990_000_001),
    [
      ['holding', 30_057, 2, u32, 990_000_001],
      ['holding', 30_513, 4, u64, 9_876_543_000],
      ['input', 30_773, 2, i32, 3000],
      ['holding', 30_961, 2, i32, 2000],
      ['holding', 30_967, 2, u32, 0x80000000],
      ['holding', 30_865, 2, i32, 0],
      ['holding', 30_867, 2, i32, 2760],
      ['holding', 31_393, 2, u32, 1200],
      ['holding', 31_395, 2, u32, 0],
      ['holding', 30_845, 2, u32, 40],
    ],
  ],
  [
    'GoodWe with the long meter block',
    goodwe('SIMGW001'),
    [
      ['holding', 35_003, 8, text, 'SIMGW001'],
      ['holding', 35_105, 2, u32, 3000],
      ['holding', 35_113, 2, u32, 0xffffffff],
      ['holding', 35_182, 2, i32, -1200],
      ['holding', 36_025, 2, i32, 2760],
      ['holding', 36_015, 2, f32, 0],
      ['holding', 36_104, 4, u64, 7_000_020],
      ['holding', 36_120, 4, u64, 500_010],
      ['holding', 37_007, 1, u16, 40],
    ],
  ],
  [
    'GoodWe with a short meter block',
    goodwe('SIMGW002', 58),
    [
      ['holding', 36_017, 2, f32, 5_000_100],
      ['holding', 36_052, 1, u16, 2315],
    ],
  ],
  [
    'SDM630',
    sdm630(99_000_001),
    [
      ['holding', 64_512, 2, u32, 99_000_001],
      ['input', 0, 2, f32, 231.5],
      ['input', 52, 2, f32, -2760],
      ['input', 72, 2, f32, 5000.1],
      ['input', 74, 2, f32, 70_000.203], // with the precision of a float
    ],
  ],
  [
    'Solis',
    solis('SIMSOLIS1'),
    [
      ['input', 33_004, 16, text, 'SIMSOLIS1'],
      ['input', 33_057, 2, u32, 5000],
      ['input', 33_135, 1, u16, 0],
      ['input', 33_149, 2, i32, 1200],
      ['input', 33_263, 2, i32, 2760],
      ['input', 33_285, 2, u32, 7_000_020],
    ],
  ],
  [
    'Victron',
    victron('SIMVICTRON01'),
    [
      ['holding', 800, 6, text, 'SIMVICTRON01'],
      ['holding', 850, 1, u16, 5000],
      ['holding', 842, 1, i16, 1200],
      ['input', 843, 1, u16, 40],
    ],
  ],
  [
    'Fronius GEN24',
    froniusGen24('SIMFRO1'),
    [
      ['holding', 40_069, 1, u16, 113],
      ['holding', 40_091, 2, f32, 3800],
      ['holding', 40_131, 1, u16, 120],
      ['holding', 40_134, 1, u16, 10_000],
      ['holding', 40_159, 1, u16, 123],
      ['holding', 40_185, 1, u16, 160],
      ['holding', 40_193, 1, u16, 4],
      ['holding', 40_206, 1, u16, 3000],
      ['holding', 40_246, 1, u16, 1200],
      ['holding', 40_275, 1, u16, 124],
      ['holding', 40_283, 1, u16, 4000],
      ['holding', 40_297, 1, i16, -2],
      ['holding', 40_301, 1, u16, 0xffff],
    ],
  ],
  [
    'Fronius meter',
    froniusSmartMeter('SIMFRO2'),
    [
      ['holding', 40_069, 1, u16, 213],
      ['holding', 40_097, 2, f32, -2760],
      ['holding', 40_129, 2, f32, 70_000_200],
      ['holding', 40_137, 2, f32, 5_000_100],
    ],
  ],
];

for (const [name, bank, readings, house = values] of table) {
  test(`${name} has the registers of the vendor's table`, () => {
    const device = createDevice(bank, { house: fixedHouse(house), clock: createFakeClock(0) });
    for (const [kind, address, count, decode, expected] of readings)
      assert.equal(decode(device.read(kind, address, count)), expected, `${kind} ${address}`);
  });
}

suite('registers outside a bank', () => {
  const at = (bank: Bank) => createDevice(bank, { house: fixedHouse(values), clock: createFakeClock(0) });

  for (const { says, bank, kind, address, count } of [
    {
      says: 'a string inverter has no hybrid registers',
      bank: sungrowString('SIM'),
      kind: 'input',
      address: 13_022,
      count: 1,
    },
    {
      says: 'an area ends after its last register',
      bank: sungrowHybrid('SIM'),
      kind: 'input',
      address: 13_045,
      count: 3,
    },
    {
      says: 'the short GoodWe block ends earlier',
      bank: goodwe('SIM', 45),
      kind: 'holding',
      address: 36_000,
      count: 58,
    },
    { says: 'input and holding registers are separate', bank: huawei('SIM'), kind: 'input', address: 32_064, count: 2 },
  ] as const) {
    test(says, () => assert.throws(() => at(bank).read(kind, address, count), { message: 'illegal address' }));
  }

  test('a meter that allows 80 registers per request refuses 81', () => {
    const device = at(sdm630(1));
    assert.equal(device.read('input', 0, 80).length, 80);
    assert.throws(() => device.read('input', 0, 81), { message: 'illegal value' });
  });
});
