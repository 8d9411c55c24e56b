import { holding } from '../map/point.ts';
import { type ModbusControl, readFacts } from './control-profile.ts';
import { set, setPower } from './write.ts';

// Devices with a remote-control switch and one register for the power.

/** Reverts when it receives no setpoint for the time in register 44001. */
export const foxess: ModbusControl = {
  profile: 'foxess',
  confidence: 'medium',
  refreshMs: 20_000,
  revertsAfterMs: 60_000,
  acquire: () => [set(44001, 60), set(44000, 1)],
  battery: {
    set: ({ W }) => [setPower(44002, 0 - W, { type: 'i32' })], // device: + discharge
    release: () => [set(44000, 0), set(41000, 0)],
  },
};

/** Power of the AC side; changing between charging and discharging requires a zero in between. */
export const foxessH3Smart: ModbusControl = {
  profile: 'foxess_h3_smart',
  confidence: 'medium',
  refreshMs: 20_000,
  revertsAfterMs: 60_000,
  acquire: () => [set(46002, 60), set(46001, 1)],
  battery: {
    set: ({ W, previousW }) => [
      ...(W * previousW < 0 ? [setPower(46003, 0, { type: 'i32' })] : []),
      setPower(46003, 0 - W, { type: 'i32' }), // device: + export
    ],
    release: () => [set(46001, 0), set(49203, 1)],
  },
};

/** The heartbeat has to change at least once a minute. */
export const pixii: ModbusControl = {
  profile: 'pixii',
  confidence: 'high',
  refreshMs: 15_000,
  revertsAfterMs: 60_000,
  battery: {
    set: ({ W, count }) => [
      set(39903, count % 101, { isMomentary: true }),
      setPower(39905, 0 - W, { type: 'i32' }), // device: + discharge
    ],
    release: () => [set(39905, 0, { type: 'i32' })],
  },
};

/** Reverts after a timeout, which the installer sets. */
export const kostal: ModbusControl = {
  profile: 'kostal',
  confidence: 'medium',
  refreshMs: 10_000,
  revertsAfterMs: 30_000,
  learn: (read) =>
    readFacts({ charge_W: holding('f32', 1038), discharge_W: holding('f32', 1040) }, read, { wordOrder: 'little' }),
  battery: {
    set: ({ W }) => [setPower(1034, 0 - W, { type: 'f32', wordOrder: 'little' })], // device: + discharge
    release: () => [set(1034, 0, { type: 'f32', wordOrder: 'little' })],
  },
};

export const solinteg: ModbusControl = {
  profile: 'solinteg',
  confidence: 'medium',
  acquire: () => [set(50000, 771)],
  battery: {
    set: ({ W }) => [setPower(50207, 0 - W, { type: 'i16', countW: 10 })], // device: + discharge
    release: () => [set(50000, 257)],
  },
};

/** The setpoint is in kilowatts. */
export const ferroampModbus: ModbusControl = {
  profile: 'ferroamp_modbus',
  confidence: 'medium',
  battery: {
    set: ({ W }) => [
      setPower(6064, 0 - W, { type: 'f32', wordOrder: 'little', countW: 1000 }), // device: + discharge
      set(6000, 1),
    ],
    release: () => [set(6000, 0), set(6064, 0, { type: 'f32', wordOrder: 'little' })],
  },
};

/** One write of three powers: grid (ignored), battery minimum and battery maximum. Equal limits force the battery power. */
export const sofar: ModbusControl = {
  profile: 'sofar',
  confidence: 'medium',
  hasUnreliableWriteReplies: true,
  acquire: () => [set(4368, 3)],
  battery: {
    set: ({ W }) => [
      setPower(4487, 0, { type: 'i32' }),
      setPower(4489, W, { type: 'i32', isJoined: true }), // device: + charge
      setPower(4491, W, { type: 'i32', isJoined: true }),
    ],
    release: () => [set(4368, 0)],
  },
};

const [maxSoc, minSoc] = [250, 25]; // 100 % and 10 % in steps of 0.4 %

/** Dispatches for a number of seconds, or until a state of charge is reached. */
export const alphaEss: ModbusControl = {
  profile: 'alpha_ess',
  confidence: 'low',
  refreshMs: 20_000,
  revertsAfterMs: 60_000,
  battery: {
    set: ({ W }) => [
      setPower(2177, 32_000 - W, { type: 'i32' }),
      set(2181, 2),
      set(2182, W < 0 ? minSoc : maxSoc),
      set(2183, 60, { type: 'u32' }),
      set(2176, 1),
    ],
    release: () => [set(2176, 0)],
  },
};
