import { batteryLimits, deviceType, isHybrid } from '../sungrow-models.ts';
import { type Facts, MissingFact, need, needPositive } from './control-profile.ts';
import { type ModbusControl, readFacts } from './modbus-control.ts';
import { set, setPower } from './write.ts';

const [emsMode, command, power] = [13049, 13050, 13051];
const [selfConsumption, forced] = [0, 2];
const [charge, discharge, stop] = [0xaa, 0xbb, 0xcc];
const [limitSwitch, limitPermille, on, off] = [13088, 13089, 0xaa, 0x55];

function refuseString(facts: Facts): void {
  if (isHybrid(need(facts, 'deviceType'))) return;
  throw new MissingFact('A string inverter of Sungrow has no register that limits it.');
}

// The order is mode, command, power: a power that comes first is passed over, and the battery stands idle.
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
      refuseString(facts);
      return [set(limitPermille, Math.round((W / needPositive(facts, 'rated_W')) * 1000)), set(limitSwitch, on)];
    },
    release: () => [set(limitSwitch, off)],
  },
};
