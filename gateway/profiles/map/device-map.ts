import type { DerKind } from '#contract/gateway/reading.ts';
import type { Confidence, ModbusProfile } from '../profile.ts';
import type { Check, Condition } from './check.ts';
import type { PointDefaults } from './evaluate.ts';
import type { Ders, Expression, Point, TextPoint } from './point.ts';
import type { PlanLimits } from './read-plan.ts';

export type MeasurementRules = PointDefaults & PlanLimits;

/** Ratings are read once per connection. */
export type Ratings = Partial<Record<'rated_power_W' | 'battery_rated_power_W' | 'capacity_Wh', Expression>>;

type Variant = {
  /** for people: the models of this variant */
  name: string;
  /** omitted in the last variant, which covers all other models */
  when?: Condition;
  ders: Ders;
};

/** The register map of a device family, as data. */
export type DeviceMap = Omit<ModbusProfile, 'kinds' | 'recognise'> &
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
