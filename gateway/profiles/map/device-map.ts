import type { DerKind } from '#contract/gateway/reading.ts';
import type { ModbusProfile } from '../modbus-profile.ts';
import type { Confidence } from '../profile.ts';
import type { Check, Finding } from './check.ts';
import type { MeasurementRules } from './measurement.ts';
import type { Ders, Point, Reading, Text } from './point.ts';

/** What is read once for each connection. */
export type Ratings = { rated_power_W?: Reading; battery_rated_power_W?: Reading; capacity_Wh?: Reading };

type Variant = {
  /** for people: which models these are */
  name: string;
  /** left out in the last one, which is for all others */
  when?: Finding;
  ders: Ders;
};

/** A device family as data. */
export type DeviceMap = Omit<ModbusProfile, 'kinds' | 'recognise'> &
  MeasurementRules & {
    /** of the statements about registers that say nothing else */
    confidence: Confidence;
    /** what the device says of itself; a contradiction ends the recognition */
    identify?: readonly Check[];
    /** `low` when the place is uncertain: what is found there then proves nothing */
    serial?: { at: Text | Point; confidence?: Confidence };
    model?: Text;
    ratings?: Ratings;
    /** how a part that is not installed shows itself, beside having no power */
    present?: Partial<Record<DerKind, Check>>;
  } & ({ ders: Ders } | { variants: readonly [Variant, ...Variant[]] });
