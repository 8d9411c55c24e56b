import type { DerKind } from '#contract/gateway/reading.ts';
import type { Confidence, ModbusProfile, Rated } from '../profile.ts';
import type { Check, Condition } from './check.ts';
import type { PointDefaults } from './evaluate.ts';
import type { Ders, Expression, Point, TextPoint } from './point.ts';
import type { PlanLimits } from './read-plan.ts';

export type MeasurementRules = PointDefaults & PlanLimits;

/** Ratings are read once per connection. */
export type Ratings = Partial<Record<keyof Rated, Expression>>;

/** Sources of the register maps. The first three have a common origin and count as one. */
const sources = {
  deviceDrivers: 'srcfl/device-drivers (Apache-2.0)',
  modbusDebug: 'srcfl/modbus-debug (MIT)',
  pythonGateway: 'srcfl/srcful-gateway (MIT)',
  evcc: 'evcc-io/evcc device templates (MIT)',
  goodweCaptures: 'captures in marcelblijleven/goodwe (MIT)',
  sunspecModels: 'SunSpec models (Apache-2.0)',
  vendorKnowledge: 'vendor documentation as commonly known',
};

const usual = {
  device_type: 'inverter',
  connection_types: ['modbus_tcp', 'modbus_rtu'],
  defaults: { port: 502, unit_id: 1 },
} as const;

type Info = Omit<ModbusProfile, 'kinds' | 'recognise'>;

/** A device family: an inverter with Modbus TCP and RTU, at port 502 and unit 1, unless stated otherwise. */
export type Family = Omit<Info, 'sources' | keyof typeof usual> &
  Partial<Pick<Info, keyof typeof usual>> & { sources: readonly (keyof typeof sources)[] };

export const describeFamily = (family: Family): Info => ({
  ...usual,
  ...family,
  sources: family.sources.map((name) => sources[name]),
});

type Variant = {
  /** for people: the models of this variant */
  name: string;
  /** omitted in the last variant, which covers all other models */
  when?: Condition;
  ders: Ders;
};

export type DeviceMap = Family &
  MeasurementRules & {
    /** applies to every point without a confidence of its own */
    confidence: Confidence;
    /** how the device identifies itself; a mismatch rejects the device */
    identify?: readonly Check[];
    /** `low` when the address is uncertain: its content then proves nothing */
    serial?: { at: TextPoint | Point; confidence?: Confidence };
    model?: TextPoint;
    ratings?: Ratings;
    /** how to recognise that a DER is not installed, in addition to a missing power */
    present?: Partial<Record<DerKind, Check>>;
  } & ({ ders: Ders } | { variants: readonly [Variant, ...Variant[]] });
