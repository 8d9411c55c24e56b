import { holding, input } from '../map/point.ts';
import { type Facts, getFact, getPositiveFact, MissingFact, type ModbusControl, readFacts } from './control-profile.ts';
import { set, setPower } from './write.ts';

export const deviceType = input('u16', 4999);

/** Hybrid inverters have the 13xxx registers; string inverters do not. */
export const isHybrid = (code: number): boolean => code >> 8 === 0x0d || code >> 8 === 0x0e;

/** Maximum charge and discharge power of the battery: limits of control, and the rated power of the battery. */
export const batteryLimits = {
  charge_W: holding('u16', 33046, { scale: 10 }),
  discharge_W: holding('u16', 33047, { scale: 10 }),
};

const [emsMode, command, power] = [13049, 13050, 13051];
const [selfConsumption, forced] = [0, 2];
const [charge, discharge, stop] = [0xaa, 0xbb, 0xcc];
const [limitSwitch, limitPermille, on, off] = [13088, 13089, 0xaa, 0x55];

function assertHybrid(facts: Facts): void {
  if (isHybrid(getFact(facts, 'deviceType'))) return;
  throw new MissingFact('Sungrow string inverters cannot be limited.');
}

// The order is mode, command, power: a power written first is ignored, and the battery stays idle.
export const sungrow: ModbusControl = {
  profile: 'sungrow',
  confidence: 'high',
  needsRated: ['pv'],
  learn: (read) => readFacts({ deviceType, ...batteryLimits }, read),
  battery: {
    set: ({ W }) => [
      set(emsMode, forced),
      set(command, W > 0 ? charge : W < 0 ? discharge : stop),
      setPower(power, Math.abs(W)),
    ],
    release: () => [set(emsMode, selfConsumption), set(command, stop), set(power, 0)],
  },
  pv: {
    set: ({ W }, facts) => {
      assertHybrid(facts);
      return [set(limitPermille, Math.round((W / getPositiveFact(facts, 'rated_W')) * 1000)), set(limitSwitch, on)];
    },
    release: () => [set(limitSwitch, off)],
  },
};
