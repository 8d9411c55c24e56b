import { decodeJwt } from 'jose';
import { maySubscribe } from '#cloud/broker/admission.ts';
import { Reading } from '#cloud/telemetry/reading.ts';
import { RtuFraming } from '#gateway/links/modbus/rtu-framing.ts';
import { TcpFraming } from '#gateway/links/modbus/tcp-framing.ts';
import { careless, mendHdlc, mendMbus, mendTelegrams } from '#gateway/p1/testing/fuzz-careless.ts';
import type { ModbusProfile, MqttProfile } from '#gateway/profiles/profile.ts';
import { mqttProfiles } from '#gateway/profiles/testing/fuzz-mqtt.ts';
import { fuzzBroker } from './broker.ts';
import type { FuzzReport } from './fuzz-report.ts';
import { fuzzJwt } from './jwt.ts';
import { fuzzModbus } from './modbus.ts';
import { careless as carelessFraming } from './modbus-careless.ts';
import { fuzzRegisterImages, knownDevices } from './register-images.ts';
import { meters, mqttDevices } from './targets.ts';
import { fuzzTelemetry } from './telemetry.ts';
import { fuzzXml, readDay } from './xml.ts';

type Fuzz = (seed: number, cases: number) => FuzzReport | Promise<FuzzReport>;

const line = { baudRate: 9600, dataBits: 8, parity: 'none', stopBits: 1 } as const;

const withNoNumbers = (profile: ModbusProfile): ModbusProfile => ({
  ...profile,
  async recognise(read) {
    const device = await profile.recognise(read);
    return {
      ...device,
      async harvest() {
        const told = Object.entries(await device.harvest());
        return Object.fromEntries(told.map(([kind, values]) => [kind, { Hz: Number.NaN, ...values }]));
      },
    };
  },
});

const trustingWhatIsKept = (profile: MqttProfile): MqttProfile => ({
  ...profile,
  listen() {
    const listener = profile.listen();
    return { ...listener, handle: (message) => listener.handle({ ...message, isRetained: false }) };
  },
});

/** The same fuzz with a bug in each reader. */
export const planted: Record<string, Fuzz> = {
  /** the check of a frame is ignored */
  P1: meters('ascii', careless(mendTelegrams)),
  HDLC: meters('hdlc', careless(mendHdlc)),
  'M-Bus': meters('mbus', careless(mendMbus)),
  'Modbus frames': (seed, cases) =>
    fuzzModbus(seed, cases, { tcp: () => new TcpFraming(), rtu: () => carelessFraming(new RtuFraming(line)) }),

  /** a missing value becomes NaN */
  'Modbus registers': (seed, cases) =>
    fuzzRegisterImages(
      seed,
      cases,
      knownDevices.map(({ profile, ...rest }) => ({ ...rest, profile: withNoNumbers(profile) })),
    ),

  /** a retained message counts as new */
  'MQTT devices': mqttDevices(mqttProfiles.map(trustingWhatIsKept)),

  /** any JSON is stored */
  'MQTT telemetry': (seed, cases) =>
    fuzzTelemetry(seed, cases, (payload, now) => {
      try {
        const text = Buffer.from(payload).toString();
        return new Reading(text, now, JSON.parse(text) ?? {});
      } catch {
        return { reason: 'malformed', seq: undefined };
      }
    }),

  /** a gateway may publish for others */
  'MQTT packets': (seed, cases) => fuzzBroker(seed, cases, { mayPublish: () => true, maySubscribe }),

  /** prices are taken in document order, whatever their position */
  XML: (seed, cases) =>
    fuzzXml(seed, cases, (text, eic, span) => {
      let position = 0;
      const inOrder = text.replaceAll(/<Period>|<position>\d+<\/position>/g, (found) => {
        position = found === '<Period>' ? 0 : position + 1;
        return position === 0 ? found : `<position>${position}</position>`;
      });
      return readDay(inOrder, eic, span);
    }),

  /** the claims are read without the signature */
  JWT: (seed, cases) =>
    fuzzJwt(seed, cases, (verify) => async (token) => {
      try {
        return decodeJwt(token).sub !== undefined || (await verify(token));
      } catch {
        return verify(token);
      }
    }),
};
