import { getFact, type ModbusControl } from './control-profile.ts';
import { set, setPower } from './write.ts';

const [storageMode, discharge, chargeRated, dischargeRated, direction, charge] = [
  43110, 43129, 43130, 43131, 43135, 43136,
];
const [selfUse, remote] = [33, 96]; // bit 0 self-use, bit 5 allows charging from the grid

export const solis: ModbusControl = {
  profile: 'solis',
  confidence: 'medium',
  needsRated: ['battery'], // no register contains it
  writeGapMs: 100,
  acquire: (facts) => [set(chargeRated, getFact(facts, 'rated_W')), set(dischargeRated, getFact(facts, 'rated_W'))],
  battery: {
    set: ({ W }) => [
      set(storageMode, remote),
      setPower(discharge, Math.abs(W), { countW: 10 }),
      setPower(charge, Math.abs(W), { countW: 10 }),
      ...(W === 0 ? [] : [set(direction, W > 0 ? 1 : 2)]),
    ],
    release: () => [set(storageMode, selfUse)],
  },
};
