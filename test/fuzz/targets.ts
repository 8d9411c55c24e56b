import { fuzzP1 } from '#gateway/p1/fuzz.ts';
import { fuzzMqtt } from '#gateway/profiles/fuzz-mqtt.ts';
import type { FuzzReport } from './fuzz-report.ts';
import { fuzzModbus } from './modbus.ts';
import { fuzzRegisterImages } from './register-images.ts';

export type FuzzTarget = {
  what: string;
  /** of all cases */
  share: number;
  fuzz(seed: number, cases: number): FuzzReport | Promise<FuzzReport>;
};

const third = 1 / 3;

export const fuzzTargets: readonly FuzzTarget[] = [
  {
    what: 'P1',
    share: third,
    fuzz(seed, cases) {
      const { frames, wrong, slowestMs } = fuzzP1({ seed, cases });
      return { cases, frames, wrong: Array<string>(wrong).fill('a frame that no meter sent'), slowestMs };
    },
  },
  {
    what: 'MQTT',
    share: third,
    fuzz(seed, cases) {
      const { readings, wrong, slowestMs } = fuzzMqtt({ seed, cases });
      return { cases, frames: readings, wrong, slowestMs };
    },
  },
  { what: 'Modbus frames', share: third / 2, fuzz: fuzzModbus },
  { what: 'Modbus registers', share: third / 2, fuzz: fuzzRegisterImages },
];
