import { holding } from '../map/point.ts';
import { need } from './control-profile.ts';
import { type ModbusControl, readFacts } from './modbus-control.ts';
import { setPower } from './write.ts';

const gridSetPoint = 2700;

// The set point is for the grid connection: what the battery shall do, and what everything else does there now. It is
// told again and again because that changes.
export const victron: ModbusControl = {
  profile: 'victron',
  confidence: 'medium',
  refreshMs: 2000,
  sense: (read) =>
    readFacts(
      {
        grid1_W: holding('i16', 820),
        grid2_W: holding('i16', 821),
        grid3_W: holding('i16', 822),
        battery_W: holding('i16', 842),
      },
      read,
    ),
  battery: {
    set({ W }, facts) {
      const grid_W = need(facts, 'grid1_W') + (facts.grid2_W ?? 0) + (facts.grid3_W ?? 0);
      return [setPower(gridSetPoint, W + grid_W - need(facts, 'battery_W'), { type: 'i16' })];
    },
    release: () => [setPower(gridSetPoint, 0, { type: 'i16', tolerance: 0 })],
  },
};
