import type { DerKind } from '#contract/gateway/reading.ts';
import type { ReadRegisters } from '../../links/modbus/unit.ts';
import type { Recognised } from '../modbus-profile.ts';
import type { Ratings } from './device-map.ts';
import { evaluatorOf, type PointDefaults } from './evaluate.ts';
import { createReadPlan } from './read-plan.ts';

type Rated = Pick<Recognised, 'rated_power_W' | 'battery_rated_power_W' | 'capacity_Wh'>;

/** Smaller than a balcony inverter or larger than a park: the unit or the place is wrong. */
const plausible = { least: 100, most: 100e6 };

/** What the nameplate says; of the battery only when there is one. */
export async function readRatings(
  ratings: Ratings = {},
  defaults: PointDefaults,
  ders: readonly DerKind[],
  read: ReadRegisters,
): Promise<Rated> {
  const wanted = (Object.entries(ratings) as [keyof Rated, NonNullable<Ratings[keyof Ratings]>][])
    .filter(([name]) => name === 'rated_power_W' || ders.includes('battery'))
    .map(([name, reading]) => ({ name, ...evaluatorOf(reading, defaults) }));
  await createReadPlan(wanted.flatMap(({ cells }) => cells)).read(read);

  const rated: Rated = {};
  for (const { name, value } of wanted) {
    const number = value();
    if (number >= plausible.least && number <= plausible.most) rated[name] = number;
  }
  return rated;
}
