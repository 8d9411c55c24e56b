import { holding } from '../map/point.ts';
import { type ModbusControl, readFacts, restore } from './control-profile.ts';
import { set, setPower } from './write.ts';

const [exportSwitch, exportMost, mode, power] = [47509, 47510, 47511, 47512];
const [automatic, charge, discharge, conserve] = [1, 2, 3, 6];

const limit = { exportMost_W: holding('u16', exportMost), exportSwitch: holding('u16', exportSwitch) };

// The limit of generation applies to the power exported to the grid.
export const goodwe: ModbusControl = {
  profile: 'goodwe',
  confidence: 'medium',
  learn: (read) => readFacts(limit, read),
  battery: {
    set: ({ W }) => [set(mode, W > 0 ? charge : W < 0 ? discharge : conserve), setPower(power, Math.abs(W))],
    release: () => [set(mode, automatic), set(power, 0)],
  },
  pv: {
    set: ({ W }) => [setPower(exportMost, W), set(exportSwitch, 1)],
    release: (facts) => restore(limit, { exportSwitch: 0, ...facts }),
  },
};
