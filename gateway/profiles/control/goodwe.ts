import { holding } from '../map/point.ts';
import { type ModbusControl, putBack, readFacts } from './modbus-control.ts';
import { set, setPower } from './write.ts';

const [exportSwitch, exportMost, mode, power] = [47509, 47510, 47511, 47512];
const [automatic, charge, discharge, conserve] = [1, 2, 3, 6];

const limit = { exportMost_W: holding('u16', exportMost), exportSwitch: holding('u16', exportSwitch) };

// What is limited is what is fed in.
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
    release: (facts) => putBack(limit, { exportSwitch: 0, ...facts }),
  },
};
