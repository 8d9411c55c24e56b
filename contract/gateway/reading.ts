import { OneOf, OpenObject, type Static, Type } from '../schema.ts';
import type { FieldName } from '../telemetry.ts';

export const derKinds = ['pv', 'battery', 'meter', 'v2x_charger'] as const;
export type DerKind = (typeof derKinds)[number];

/** Measured values of a DER, in the units and signs of docs/units-and-signs.md. Values that were not read are absent. */
export type Values = Partial<Record<FieldName, number>> & {
  status?: string;
  lower_limit_W?: number[];
  upper_limit_W?: number[];
};

export type DerValues = Partial<Record<DerKind, Values>>;

/** A reading of one DER, in a snapshot and as sent to the platform. */
export const DerReading = OpenObject('DerReading', undefined, {
  type: OneOf(derKinds),
  timestamp: Type.Integer({ description: 'ms; start of the reading' }),
  read_time_ms: Type.Integer(),
  make: Type.String(),
});
export type DerReading = Static<typeof DerReading>;
