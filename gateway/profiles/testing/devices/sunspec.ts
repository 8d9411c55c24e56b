import { type Fixture, i16, text, u16, u32, u64 } from '../encode.ts';
import { chain, common, meter, model, tracker } from '../sunspec-words.ts';

export const sunspec: readonly Fixture[] = [
  {
    profile: 'sunspec',
    says: 'a first-generation inverter with meter and battery; the mark at address 0',
    holding: {
      0: chain(
        common('Example AG', 'One', 'EX-1'),
        model(65_000, 3, {}),
        model(101, 50, {
          14: [...i16(321), ...i16(1), ...u16(6000), ...i16(-2)],
          24: [...u32(0), ...i16(0)],
          34: i16(0x8000),
        }),
        model(802, 62, { 11: u16(50), 44: i16(-20), 47: i16(500), 61: i16(-1) }),
        meter,
      ),
    },
    serial: 'EX-1',
    expected: {
      pv: { W: -2710, ac_W: -3210, Hz: 60, total_generation_Wh: undefined, heatsink_C: undefined },
      battery: { W: -500, A: -2, SoC_nom_fract: 0.5 },
      meter: { W: -1500 },
    },
  },
  {
    profile: 'sunspec',
    says: 'a device of the 700 series with a port for panels and one for a battery',
    holding: {
      50000: chain(
        common('Seven GmbH', 'DER', 'S7-0001'),
        model(701, 153, {
          10: i16(3000),
          17: u32(50_020),
          19: u64(123_456),
          37: i16(300),
          115: [...i16(-3), ...i16(0)],
          120: [...i16(1), 0, ...i16(-1)],
        }),
        model(702, 50, { 2: u16(800), 10: u16(500), 45: i16(1) }),
        model(713, 7, { 2: [...u16(96), ...u16(0), ...u16(405), 0, 0, ...i16(2), ...i16(-1)] }),
        model(714, 68, {
          4: u16(2),
          15: [...i16(-1), ...i16(-1), ...i16(0), ...i16(0), ...i16(0)],
          20: [...u16(0), 0, ...text('PV', 8), ...i16(70), ...u16(6000), ...i16(4200), ...u64(1), ...u64(0)],
          45: [...u16(1), 0, ...text('BAT', 8), ...i16(-30), ...u16(4000), ...i16(-1200), ...u64(700), ...u64(900)],
        }),
      ),
    },
    serial: 'S7-0001',
    rated_power_W: 8000,
    expected: {
      pv: { W: -4200, ac_W: -3000, mppt1_V: 600, Hz: 50.02, total_generation_Wh: 1_234_560, heatsink_C: 30 },
      battery: { W: 1200, A: 3, V: 400, SoC_nom_fract: 0.405, total_charge_Wh: 900, total_discharge_Wh: 700 },
    },
  },
  {
    profile: 'sunspec',
    says: 'a hybrid with two batteries that reports its panels in both model 160 and 714',
    holding: {
      40000: chain(
        common('Twice SA', 'Hybrid', 'T2-0001'),
        model(701, 153, { 10: i16(3000), 17: u32(50_000), 115: [...i16(-3), ...i16(0)] }),
        model(160, 48, {
          2: [...i16(-2), ...i16(-1), ...i16(0), ...i16(0), 0, 0, ...u16(2)],
          10: [...tracker('PV 1', 512, 4005, 2000), ...tracker('PV 2', 256, 3900, 1000)],
        }),
        model(714, 93, {
          4: u16(3),
          15: [...i16(-1), ...i16(-1), ...i16(0), ...i16(0), ...i16(0)],
          20: [...u16(0), 0, ...text('PV', 8), ...i16(75), ...u16(4000), ...i16(3000), ...u64(1), ...u64(0)],
          45: [...u16(1), 0, ...text('BAT 1', 8), ...i16(-30), ...u16(4000), ...i16(-1200), ...u64(700), ...u64(900)],
          70: [...u16(1), 0, ...text('BAT 2', 8), ...i16(-10), ...u16(4000), ...i16(-400), ...u64(50), ...u64(60)],
        }),
      ),
    },
    serial: 'T2-0001',
    expected: {
      pv: { W: -3000, ac_W: -3000, mppt1_V: 400.5, mppt2_A: 2.56 },
      battery: { W: 1600, A: 4, V: 400, total_charge_Wh: 960, total_discharge_Wh: 750 },
    },
  },
];
