import { holding } from '../map/point.ts';
import { type Facts, needPositive } from './control-profile.ts';
import { type ModbusControl, putBack, readFacts } from './modbus-control.ts';
import { set, setPower, type Write } from './write.ts';

const [chargeMost, dischargeMost, minutes, forced, bySoc, charge, discharge] = [
  47075, 47077, 47083, 47100, 47246, 47247, 47249,
];
const [limitMode, limit, unlimited, inWatts] = [47415, 47416, 0, 6];

const limitBefore = { limit_W: holding('i32', limit), limitMode: holding('u16', limitMode) };

/** What is not installed answers so. */
const absent = { u16: [0x7fff], u32: [0x7fff_ffff] };

const most = (charge_W: number, discharge_W: number): Write[] => [
  setPower(chargeMost, charge_W, { type: 'u32' }),
  setPower(dischargeMost, discharge_W, { type: 'u32' }),
];

const ownLimits = (facts: Facts): Write[] => most(needPositive(facts, 'charge_W'), needPositive(facts, 'discharge_W'));

// A forced power of zero would be a release here; the battery rests when it may neither charge nor discharge.
export const huawei: ModbusControl = {
  profile: 'huawei',
  confidence: 'medium',
  refreshMs: 20_000,
  revertsAfterMs: 60_000,
  learn: (read) =>
    readFacts({ charge_W: holding('u32', 37046), discharge_W: holding('u32', 37048), ...limitBefore }, read, {
      absent,
    }),
  battery: {
    set: ({ W }, facts) =>
      W === 0
        ? [set(forced, 0), ...most(0, 0)]
        : [
            ...ownLimits(facts),
            setPower(W > 0 ? charge : discharge, Math.abs(W), { type: 'u32' }),
            set(minutes, 1),
            set(bySoc, 0),
            set(forced, W > 0 ? 1 : 2),
          ],
    release: (facts) => [set(forced, 0), ...ownLimits(facts)],
  },
  pv: {
    set: ({ W }) => [setPower(limit, W, { type: 'i32' }), set(limitMode, inWatts)],
    release: (facts) => putBack(limitBefore, { limitMode: unlimited, ...facts }),
  },
};
