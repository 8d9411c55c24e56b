import { type Facts, getFact, type ModbusControl, points, readFacts, restore } from './control-profile.ts';
import { set, setPower } from './write.ts';

const [chargeMost_A, dischargeMost_A, gridCharge_A, generatorCharge, gridCharge, loadPriority, sellMode, sellMost] = [
  108, 109, 128, 129, 130, 141, 142, 143,
];
const [sellSolar, weekdays, slotStart, slotEnd, slotPower, slotSoc, slotCharge, ports] = [
  145, 146, 148, 149, 154, 166, 172, 178,
];
const highVoltage = 6;
const [maxSoc, minSoc] = [100, 10]; // %

/** Models with a high-voltage battery use units of 10 W. */
const watt = (facts: Facts): number => (facts.deviceType === highVoltage ? 10 : 1);
const volts = (facts: Facts): number =>
  getFact(facts, 'battery_V_raw') * (facts.deviceType === highVoltage ? 0.1 : 0.01);

/** User settings, restored on release. */
const settings = points({
  chargeMost_A,
  dischargeMost_A,
  gridCharge_A,
  generatorCharge,
  slotPower,
  slotSoc,
  slotCharge,
});

// Charging is set in amperes, discharging in watts; a time slot covering the whole day makes the inverter follow them.
export const deye: ModbusControl = {
  profile: 'deye',
  confidence: 'medium',
  needsRated: ['pv'],
  setpointPauseMs: 60_000, // its setpoints are settings, which it stores
  learn: (read) => readFacts({ ...points({ deviceType: 0, sellMost }), ...settings }, read),
  sense: (read) => readFacts(points({ battery_V_raw: 587 }), read),
  acquire: () => [
    set(ports, 11816),
    set(chargeMost_A, 31),
    set(dischargeMost_A, 31),
    set(gridCharge_A, 31),
    set(generatorCharge, 1),
    set(gridCharge, 1),
    set(loadPriority, 3),
    set(sellMode, 2),
    set(sellSolar, 1),
    set(weekdays, 255),
    set(slotStart, 0),
    set(slotEnd, 2355),
  ],
  battery: {
    set: ({ W }, facts) => {
      if (W === 0) return [set(chargeMost_A, 0), set(slotPower, 0)];
      if (W < 0) {
        return [
          set(slotCharge, 0),
          setPower(slotPower, -W, { countW: watt(facts) }),
          set(slotSoc, minSoc),
          set(sellMode, 0),
        ];
      }
      const amperes = Math.max(1, Math.round(W / volts(facts)));
      return [set(sellMode, 2), set(slotSoc, maxSoc), set(chargeMost_A, amperes), set(slotCharge, 3)];
    },
    release: (facts) => [
      set(sellMode, 2),
      set(loadPriority, 1),
      set(sellSolar, 1),
      set(weekdays, 1),
      set(gridCharge, 0),
      ...restore(settings, facts),
    ],
  },
  pv: {
    set: ({ W }, facts) => [set(sellSolar, 1), setPower(sellMost, W, { countW: watt(facts) })],
    release: (facts) => [
      set(sellSolar, 1),
      facts.sellMost === undefined
        ? setPower(sellMost, getFact(facts, 'rated_W'), { countW: watt(facts) })
        : set(sellMost, facts.sellMost),
    ],
  },
};
