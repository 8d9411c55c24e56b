import { holding } from '../map/point.ts';
import { needPositive } from './control-profile.ts';
import { type ModbusControl, readFacts } from './modbus-control.ts';
import { set, setPower, type Write } from './write.ts';

const [controlMode, gridCharge, defaultMode, timeout, commandMode, charge, discharge] = [
  0xe004, 0xe005, 0xe00a, 0xe00b, 0xe00d, 0xe00e, 0xe010,
];
const [own, remote, selfConsumption] = [1, 4, 7];
const [fromGridToo, exporting] = [3, 4]; // mode 5 would discharge no more than the house uses
const [limitPercent, commit] = [0xf001, 0xf100];
const timeoutS = 60;

const limit = (percent: number): Write[] => [set(limitPercent, percent), set(commit, 1, { isMomentary: true })];

// Its own registers have the low word first. The limit of generation outlives a restart of the inverter.
export const solaredge: ModbusControl = {
  profile: 'solaredge',
  confidence: 'medium',
  needsRated: ['pv'],
  refreshMs: 20_000,
  revertsAfterMs: timeoutS * 1000,
  learn: (read) =>
    readFacts({ charge_W: holding('f32', 0xe144), discharge_W: holding('f32', 0xe146) }, read, { wordOrder: 'little' }),
  take: () => [
    set(controlMode, remote),
    set(gridCharge, 1),
    set(defaultMode, selfConsumption),
    set(timeout, timeoutS, { type: 'u32', wordOrder: 'little' }),
  ],
  battery: {
    set: ({ W }) => [
      set(commandMode, W < 0 ? exporting : fromGridToo),
      setPower(charge, Math.max(0, W), { type: 'f32', wordOrder: 'little' }),
      setPower(discharge, Math.max(0, -W), { type: 'f32', wordOrder: 'little' }),
    ],
    release: () => [set(commandMode, selfConsumption), set(controlMode, own)],
  },
  pv: {
    set: ({ W }, facts) => limit(Math.round((W / needPositive(facts, 'rated_W')) * 100)),
    release: () => limit(100),
  },
};
