import { ambibox } from './ambibox.ts';
import { ferroamp } from './ferroamp.ts';
import { ferroampDc2 } from './ferroamp-dc2.ts';
import type { ModbusProfile } from './modbus-profile.ts';
import { modbusProfiles } from './modbus-profiles.ts';
import type { MqttProfile } from './mqtt-profile.ts';
import { p1Meter } from './p1-meter.ts';
import type { ProfileInfo } from './profile.ts';

export type Profile = ModbusProfile | MqttProfile | ProfileInfo;

/** Every device that this gateway knows. */
export const profiles: readonly Profile[] = [...modbusProfiles, p1Meter, ferroamp, ambibox, ferroampDc2];

const byId = new Map(profiles.map((profile) => [profile.profile, profile]));

export const findProfile = (id: string): Profile | undefined => byId.get(id);
