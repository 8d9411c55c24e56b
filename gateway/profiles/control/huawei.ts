import { holding } from '../map/point.ts';
import { type Facts, getPositiveFact, type ModbusControl, readFacts, restore } from './control-profile.ts';
import { set, setPower, type Write } from './write.ts';

const [chargeMax, dischargeMax, minutes, forced, bySoc, charge, discharge] = [
  47075, 47077, 47083, 47100, 47246, 47247, 47249,
];
const [limitMode, limit, unlimited, inWatts] = [47415, 47416, 0, 6];

const batteryLimits = { charge_W: holding('u32', 37046), discharge_W: holding('u32', 37048) };
const previousLimit = { limit_W: holding('i32', limit), limitMode: holding('u16', limitMode) };

/** Registers of parts that are not installed. */
const absent = { u16: [0x7fff], u32: [0x7fff_ffff] };

const maxPowers = (charge_W: number, discharge_W: number): Write[] => [
  setPower(chargeMax, charge_W, { type: 'u32' }),
  setPower(dischargeMax, discharge_W, { type: 'u32' }),
];

const ownLimits = (facts: Facts): Write[] =>
  maxPowers(getPositiveFact(facts, 'charge_W'), getPositiveFact(facts, 'discharge_W'));

// A forced power of zero would release the battery; to keep it idle, both maximum powers are set to zero.
export const huawei: ModbusControl = {
  profile: 'huawei',
  confidence: 'medium',
  refreshMs: 20_000,
  revertsAfterMs: 60_000,
  learn: (read) => readFacts({ ...batteryLimits, ...previousLimit }, read, { absent }),
  battery: {
    set: ({ W }, facts) =>
      W === 0
        ? [set(forced, 0), ...maxPowers(0, 0)]
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
    release: (facts) => restore(previousLimit, { limitMode: unlimited, ...facts }),
  },
};
