import { abbB2x } from './abb-b2x.ts';
import { alphaEss } from './alpha-ess.ts';
import { ambibox } from './ambibox.ts';
import { carloGavazziEm340 } from './carlo-gavazzi-em340.ts';
import { deye } from './deye.ts';
import { e3dc } from './e3dc.ts';
import { ferroamp } from './ferroamp.ts';
import { ferroampDc2 } from './ferroamp-dc2.ts';
import { ferroampModbus } from './ferroamp-modbus.ts';
import { foxess, foxessH3Smart } from './foxess.ts';
import { fronius, froniusSmartMeter } from './fronius.ts';
import { goodwe } from './goodwe.ts';
import { growatt } from './growatt.ts';
import { huawei } from './huawei.ts';
import { kostal } from './kostal.ts';
import { p1Meter } from './p1-meter.ts';
import { pixii } from './pixii.ts';
import type { ModbusProfile, MqttProfile, ProfileInfo } from './profile.ts';
import { saj } from './saj.ts';
import { sdm630 } from './sdm630.ts';
import { sigenergy } from './sigenergy.ts';
import { sma } from './sma.ts';
import { sofar } from './sofar.ts';
import { solaredge } from './solaredge.ts';
import { solax } from './solax.ts';
import { solinteg } from './solinteg.ts';
import { solis } from './solis.ts';
import { sungrow } from './sungrow.ts';
import { sunspec } from './sunspec.ts';
import { victron } from './victron.ts';

const describingThemselves = [solaredge, fronius, froniusSmartMeter, pixii, sunspec];
const identifyingThemselves = [sungrow, huawei, sma, e3dc, foxess, foxessH3Smart, ferroampModbus, deye];
const others = [goodwe, solis, sofar, growatt, saj, solax, kostal, victron, solinteg, alphaEss, sigenergy];
const meters = [sdm630, abbB2x, carloGavazziEm340];

/** In the order in which an unknown device is tried: families that identify themselves first. */
export const modbusProfiles: readonly ModbusProfile[] = [
  ...describingThemselves,
  ...identifyingThemselves,
  ...others,
  ...meters,
];

export const findModbusProfile = (id: string): ModbusProfile | undefined =>
  modbusProfiles.find(({ profile }) => profile === id);

export type Profile = ModbusProfile | MqttProfile | ProfileInfo;

export const profiles: readonly Profile[] = [...modbusProfiles, p1Meter, ferroamp, ambibox, ferroampDc2];

const byId = new Map(profiles.map((profile) => [profile.profile, profile]));

export const findProfile = (id: string): Profile | undefined => byId.get(id);
