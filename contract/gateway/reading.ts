import type { Static } from 'typebox';
import { Type } from '../schema.ts';
import type { FieldName } from '../telemetry.ts';
import { OneOf } from '../text.ts';

/** What a device carries, in the words of the local API. */
export const derKinds = ['pv', 'battery', 'meter', 'v2x_charger'] as const;
export type DerKind = (typeof derKinds)[number];

/** What was read of one DER, in the units and signs of docs/units-and-signs.md. What was not read is not there. */
export type Values = Partial<Record<FieldName, number>> & {
  status?: string;
  lower_limit_W?: number[];
  upper_limit_W?: number[];
};

export type DerValues = Partial<Record<DerKind, Values>>;

/** One DER in a snapshot: also what travels to the platform. */
export const DerReading = Type.Intersect(
  [
    Type.Object({
      type: OneOf(derKinds),
      timestamp: Type.Integer({ description: 'ms; when the reading began' }),
      read_time_ms: Type.Integer(),
      make: Type.String(),
    }),
    Type.Record(Type.String(), Type.Unknown()),
  ],
  { title: 'DerReading' },
);
export type DerReading = Static<typeof DerReading>;
