import type { P1Format } from '#gateway/p1/frame.ts';
import { type CreateDecoder, fuzzP1 } from '#gateway/p1/testing/fuzz.ts';
import { testMeters } from '#gateway/p1/testing/meters.ts';
import type { MqttProfile } from '#gateway/profiles/profile.ts';
import { fuzzMqtt } from '#gateway/profiles/testing/fuzz-mqtt.ts';
import { fuzzBroker } from './broker.ts';
import type { FuzzReport } from './fuzz-report.ts';
import { fuzzJwt } from './jwt.ts';
import { fuzzModbus } from './modbus.ts';
import { fuzzRegisterImages } from './register-images.ts';
import { fuzzTelemetry } from './telemetry.ts';
import { fuzzXml } from './xml.ts';

export const protocols = ['P1', 'HDLC', 'M-Bus', 'Modbus', 'MQTT', 'XML', 'JWT'] as const;
export type Protocol = (typeof protocols)[number];

export type FuzzTarget = {
  protocol: Protocol;
  what: string;
  /** share of the cases of its protocol */
  share: number;
  fuzz(seed: number, cases: number): FuzzReport | Promise<FuzzReport>;
};

/** Meters of one format, or of all formats in turn. */
export const meters =
  (format?: P1Format, createDecoder?: CreateDecoder) =>
  (seed: number, cases: number): FuzzReport => {
    const report = fuzzP1({
      seed,
      cases,
      meters: testMeters.filter((meter) => !format || meter.format === format),
      ...(createDecoder && { createDecoder }),
    });
    const { frames, wrong, slowestMs, byChance } = report;
    return {
      cases,
      frames,
      wrong: Array<string>(wrong).fill('a frame that no meter sent'),
      slowestMs,
      byChance: byChance.ascii + byChance.hdlc + byChance.mbus,
    };
  };

export const mqttDevices =
  (profiles?: readonly MqttProfile[]) =>
  (seed: number, cases: number): FuzzReport => {
    const { readings, wrong, slowestMs } = fuzzMqtt({ seed, cases, ...(profiles && { profiles }) });
    return { cases, frames: readings, wrong, slowestMs };
  };

export const fuzzTargets: readonly FuzzTarget[] = [
  { protocol: 'P1', what: 'P1', share: 1, fuzz: meters() },
  { protocol: 'HDLC', what: 'HDLC', share: 1, fuzz: meters('hdlc') },
  { protocol: 'M-Bus', what: 'M-Bus', share: 1, fuzz: meters('mbus') },
  { protocol: 'Modbus', what: 'Modbus frames', share: 1 / 2, fuzz: (seed, cases) => fuzzModbus(seed, cases) },
  {
    protocol: 'Modbus',
    what: 'Modbus registers',
    share: 1 / 2,
    fuzz: (seed, cases) => fuzzRegisterImages(seed, cases),
  },
  {
    protocol: 'MQTT',
    what: 'MQTT devices',
    share: 0.5,
    fuzz: mqttDevices(),
  },
  { protocol: 'MQTT', what: 'MQTT telemetry', share: 0.45, fuzz: (seed, cases) => fuzzTelemetry(seed, cases) },
  { protocol: 'MQTT', what: 'MQTT packets', share: 0.05, fuzz: (seed, cases) => fuzzBroker(seed, cases) },
  { protocol: 'XML', what: 'XML', share: 1, fuzz: (seed, cases) => fuzzXml(seed, cases) },
  { protocol: 'JWT', what: 'JWT', share: 1, fuzz: (seed, cases) => fuzzJwt(seed, cases) },
];
