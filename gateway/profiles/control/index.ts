import { ambibox } from './ambibox.ts';
import type { ModbusControl, MqttControl } from './control-profile.ts';
import { deye } from './deye.ts';
import { ferroamp } from './ferroamp.ts';
import { ferroampDc2 } from './ferroamp-dc2.ts';
import { goodwe } from './goodwe.ts';
import { huawei } from './huawei.ts';
import * as remoteSetpoint from './remote-setpoint.ts';
import { sma } from './sma.ts';
import { solaredge } from './solaredge.ts';
import { solis } from './solis.ts';
import { sungrow } from './sungrow.ts';
import * as sunspec from './sunspec.ts';
import { victron } from './victron.ts';

export type ControlProfile = ModbusControl | MqttControl;

const families = [ambibox, deye, ferroamp, ferroampDc2, goodwe, huawei, sma, solaredge, solis, sungrow, victron];

export const controls: readonly ControlProfile[] = [
  ...families,
  ...Object.values(remoteSetpoint),
  ...Object.values(sunspec),
];

const byProfile = new Map(controls.map((control) => [control.profile, control]));

export const findControl = (profile: string): ControlProfile | undefined => byProfile.get(profile);
