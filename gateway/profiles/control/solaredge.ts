import { holding } from '../map/point.ts';
import { getPositiveFact, type ModbusControl, readFacts } from './control-profile.ts';
import { set, setPower, type Write } from './write.ts';

const [controlMode, gridCharge, defaultMode, timeout, commandMode, charge, discharge] = [
  0xe004, 0xe005, 0xe00a, 0xe00b, 0xe00d, 0xe00e, 0xe010,
];
const [automatic, remote, selfConsumption] = [1, 4, 7];
const [fromSolarAndGrid, exporting] = [3, 4]; // mode 5 would discharge only up to the consumption of the house
const [limitPercent, commit] = [0xf001, 0xf100];
const timeoutS = 60;

const limit = (percent: number): Write[] => [set(limitPercent, percent), set(commit, 1, { isMomentary: true })];

// Proprietary registers have the low word first. The limit of generation persists across restarts of the inverter.
export const solaredge: ModbusControl = {
  profile: 'solaredge',
  confidence: 'medium',
  needsRated: ['pv'],
  refreshMs: 20_000,
  revertsAfterMs: timeoutS * 1000,
  learn: (read) =>
    readFacts({ charge_W: holding('f32', 0xe144), discharge_W: holding('f32', 0xe146) }, read, { wordOrder: 'little' }),
  acquire: () => [
    set(controlMode, remote),
    set(gridCharge, 1),
    set(defaultMode, selfConsumption),
    set(timeout, timeoutS, { type: 'u32', wordOrder: 'little' }),
  ],
  battery: {
    set: ({ W }) => [
      set(commandMode, W < 0 ? exporting : fromSolarAndGrid),
      setPower(charge, Math.max(0, W), { type: 'f32', wordOrder: 'little' }),
      setPower(discharge, Math.max(0, -W), { type: 'f32', wordOrder: 'little' }),
    ],
    release: () => [set(commandMode, selfConsumption), set(controlMode, automatic)],
  },
  pv: {
    set: ({ W }, facts) => limit(Math.round((W / getPositiveFact(facts, 'rated_W')) * 100)),
    release: () => limit(100),
  },
};
