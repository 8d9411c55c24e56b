import { minuteMs } from '#contract/time.ts';
import { type Bank, type Control, counters, phases, registers, strings, table } from '../bank.ts';

// Huawei: holding registers, high word first. The meter counts export as positive.

const [rated_W, batteryMost_W] = [10_000, 5000];
const [chargeMost_W, dischargeMost_W, minutes, forced, charge_W, discharge_W, limitMode, limit_W, limitTenthPercent] = [
  47075, 47077, 47083, 47100, 47247, 47249, 47415, 47416, 47418,
];

const control: () => Control = () => (settings) => {
  const [most, least] = [settings.get(chargeMost_W), -settings.get(dischargeMost_W)];
  const limits = most < batteryMost_W || least > -batteryMost_W ? { min_W: least, max_W: most } : undefined;
  const command = settings.get(forced);
  const battery_W = command === 1 ? settings.get(charge_W) : -settings.get(discharge_W);
  const mode = settings.get(limitMode);
  return {
    battery: command === 0 ? limits : { battery_W },
    pvLimit_W:
      mode === 6 ? settings.get(limit_W) : mode === 7 ? (settings.get(limitTenthPercent) / 1000) * rated_W : undefined,
    ...(command !== 0 && { expires: { afterMs: settings.get(minutes) * minuteMs, resets: { [forced]: 0 } } }),
  };
};

export const huawei = (serial: string): Bank => ({
  profile: 'huawei',
  title: 'Huawei SUN2000 with LUNA2000',
  unit: 1,
  identification: ['SIM Huawei', 'SUN2000-10KTL-M1 SIM', 'V100'],
  deafAfterConnectMs: 1000,
  holding: table({ 30000: 35, 30070: 15, 32000: 120, 37000: 70, 37100: 38, 37758: 31 }, [
    [30000, 15, 'SUN2000-10KTL-M1 SIM'],
    [30015, 10, serial],
    [30073, 'u32', rated_W],
    ...strings(32016, 'i16', 'V', 0.1, 2),
    ...strings(32017, 'i16', 'A', 0.01, 2),
    [32064, 'i32', (h) => -h.pv_W],
    [32080, 'i32', (h) => -h.pv_W - h.battery_W], // the battery is on the DC side
    [32087, 'i16', (h) => h.inverter_C, 0.1],
    [37000, 'u16', 2], // running
    [37001, 'i32', (h) => h.battery_W],
    [37003, 'u16', (h) => h.battery_V, 0.1],
    [37004, 'u16', (h) => h.battery_soc_fract, 0.001],
    [37021, 'i16', (h) => h.battery_W / h.battery_V, 0.1],
    [37022, 'i16', (h) => h.battery_C, 0.1],
    [37046, 'u32', batteryMost_W],
    [37048, 'u32', batteryMost_W],
    ...counters('u32', 10, { generated: 32106, charged: 37066, discharged: 37068 }),
    [37100, 'u16', 1], // meter present
    ...phases(37101, 'i32', 'V', 0.1),
    ...phases(37107, 'i32', ({ A }) => -A, 0.01),
    [37113, 'i32', (h) => -h.meter_W],
    [37118, 'i16', (h) => h.Hz, 0.01],
    ...counters('i32', 10, { exported: 37119, imported: 37121 }),
    ...phases(37132, 'i32', ({ W }) => -W),
    [37758, 'u32', 10_000],
    [37760, 'u16', (h) => h.battery_soc_fract, 0.001],
    [37765, 'i32', (h) => h.battery_W],
    ...counters('u32', 10, { charged: 37780, discharged: 37782 }),
  ]),
  settings: [
    ...registers('u16', { [minutes]: 0, 47087: 0, [forced]: 0, 47246: 0, [limitMode]: 0 }),
    ...registers('u32', { [chargeMost_W]: batteryMost_W, [dischargeMost_W]: batteryMost_W }),
    ...registers('u32', { [charge_W]: 0, [discharge_W]: 0 }),
    [limit_W, 'i32', rated_W],
    [limitTenthPercent, 'i16', 1000],
  ],
  control,
});
