import { abbB2x } from './devices/abb-b2x.ts';
import { alphaEss } from './devices/alpha-ess.ts';
import { carloGavazziEm340 } from './devices/carlo-gavazzi-em340.ts';
import { deye } from './devices/deye.ts';
import { e3dc } from './devices/e3dc.ts';
import { ferroampModbus } from './devices/ferroamp-modbus.ts';
import { foxess } from './devices/foxess.ts';
import { foxessH3Smart } from './devices/foxess-h3-smart.ts';
import { fronius } from './devices/fronius.ts';
import { froniusSmartMeter } from './devices/fronius-smart-meter.ts';
import { goodwe } from './devices/goodwe.ts';
import { growatt } from './devices/growatt.ts';
import { huawei } from './devices/huawei.ts';
import { kostal } from './devices/kostal.ts';
import { pixii } from './devices/pixii.ts';
import { saj } from './devices/saj.ts';
import { sdm630 } from './devices/sdm630.ts';
import { sigenergy } from './devices/sigenergy.ts';
import { sma } from './devices/sma.ts';
import { sofar } from './devices/sofar.ts';
import { solaredge } from './devices/solaredge.ts';
import { solax } from './devices/solax.ts';
import { solinteg } from './devices/solinteg.ts';
import { solis } from './devices/solis.ts';
import { sungrow } from './devices/sungrow.ts';
import { sunspec } from './devices/sunspec.ts';
import { victron } from './devices/victron.ts';
import type { Fixture } from './encode.ts';

/** All test devices. */
export const devices: readonly Fixture[] = [
  ...abbB2x,
  ...alphaEss,
  ...carloGavazziEm340,
  ...deye,
  ...e3dc,
  ...ferroampModbus,
  ...foxess,
  ...foxessH3Smart,
  ...fronius,
  ...froniusSmartMeter,
  ...goodwe,
  ...growatt,
  ...huawei,
  ...kostal,
  ...pixii,
  ...saj,
  ...sdm630,
  ...sigenergy,
  ...sma,
  ...sofar,
  ...solaredge,
  ...solax,
  ...solinteg,
  ...solis,
  ...sungrow,
  ...sunspec,
  ...victron,
];
