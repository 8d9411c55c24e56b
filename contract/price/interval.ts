import { type Static, Type } from '../schema.ts';

export const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'YYYY-MM-DD' });

/** A period of whole days. Apart from the other types of tariffs, which bills do not need. */
export const Interval = Type.Object({ fromIncluding: Day, toExcluding: Day });
export type Interval = Static<typeof Interval>;
