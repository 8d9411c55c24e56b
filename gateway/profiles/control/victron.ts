import { holding } from '../map/point.ts';
import { getFact, type ModbusControl, readFacts } from './control-profile.ts';
import { setPower } from './write.ts';

const gridSetpoint = 2700;
const grid = { grid1_W: holding('i16', 820), grid2_W: holding('i16', 821), grid3_W: holding('i16', 822) };

// The setpoint is that of the grid: the requested power plus that of everything else, so it is refreshed frequently.
export const victron: ModbusControl = {
  profile: 'victron',
  confidence: 'medium',
  refreshMs: 2000,
  sense: (read) => readFacts({ ...grid, battery_W: holding('i16', 842) }, read),
  battery: {
    set({ W }, facts) {
      const grid_W = getFact(facts, 'grid1_W') + (facts.grid2_W ?? 0) + (facts.grid3_W ?? 0);
      return [setPower(gridSetpoint, W + grid_W - getFact(facts, 'battery_W'), { type: 'i16' })];
    },
    release: () => [setPower(gridSetpoint, 0, { type: 'i16', tolerance: 0 })],
  },
};
