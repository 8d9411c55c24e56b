import { keysOf, OneOf, optional, type Static, Timestamp, Titled, Type } from './schema.ts';

/** The sentences of plans in English; pages translate them. A name in braces is a field of `PlanSaying`. */
export const planSentences = {
  bought_saves: 'Charging {power_kw} at {price} per kWh: saves {saved} per kWh at {at}.',
  bought_peak: 'Charging {power_kw} at {price} per kWh for {at}; 1 kW more would then add {fee} to the power charge.',
  bought_goal: 'Charging {power_kw} at {price} per kWh, to have {energy_kwh} by {at}.',
  bought_worth: 'Charging {power_kw} at {price} per kWh; a stored kWh is worth {worth} later.',
  sun_saves: 'Charging {power_kw} from the sun: saves {saved} per kWh at {at}.',
  sun_peak: 'Charging {power_kw} from the sun for {at}; 1 kW more would then add {fee} to the power charge.',
  sun_goal: 'Charging {power_kw} from the sun, to have {energy_kwh} by {at}.',
  sun_worth: 'Charging {power_kw} from the sun; a stored kWh is worth {worth} later.',
  stored_saves: 'Charging {power_kw} without buying energy: saves {saved} per kWh at {at}.',
  stored_peak:
    'Charging {power_kw} without buying energy for {at}; 1 kW more would then add {fee} to the power charge.',
  stored_goal: 'Charging {power_kw} without buying energy, to have {energy_kwh} by {at}.',
  stored_worth: 'Charging {power_kw} without buying energy; a stored kWh is worth {worth} later.',
  sells: 'Selling {power_kw} at {price} per kWh.',
  keeps_peak:
    'Discharging {power_kw} keeps the mean import at {grid_kw}; 1 kW more would add {fee} to the power charge.',
  replaces: 'Discharging {power_kw} replaces energy at {price} per kWh.',
  held_for_peak: 'Holding {energy_kwh} for {at}; 1 kW more would then add {fee} to the power charge.',
  held_for_price: 'Holding {energy_kwh} for {at}, when a kWh costs {price_then} instead of {price}.',
  waits_for_peak: 'Waiting for {at}; 1 kW more now would add {fee} to the power charge.',
  waits_for_price: 'Waiting for {at}, when a kWh costs {price_then} instead of {price}.',
  idle: 'Nothing to gain in this step.',
  plan_saves: 'Saves {amount} compared with self-consumption without a plan',
  plan_costs: 'Costs {amount} more compared with self-consumption without a plan',
  plan_equals: 'Costs as much as self-consumption without a plan',
  energy_less: '{amount} less for energy',
  energy_more: '{amount} more for energy',
  peaks_less: '{amount} less for power charges',
  peaks_more: '{amount} more for power charges',
  wear_less: '{amount} less for wear',
  wear_more: '{amount} more for wear',
  over_import_less: '{amount} less for exceeding the import limit',
  over_import_more: '{amount} more for exceeding the import limit',
  end_value_less: '{amount} less in what is stored at the end',
  end_value_more: '{amount} more in what is stored at the end',
  only_sun: 'Without a battery or a car with a departure, only the sun can be planned',
  unmeasured: 'The saving is known when the house has been measured for a day',
  goals_changed: 'Goals were changed.',
  goals_tried: 'Other goals were tried.',
  prices_published: 'New prices were published.',
  car_changed: 'A car was connected or left.',
  site_changed: 'The site, its devices or its contract were changed.',
  renewed: 'The plan before was due to be renewed.',
  prices_assumed: 'Spot prices from {at} on are assumed from recent days.',
  load_assumed: 'The house was measured for less than a day, so its load is assumed.',
  car_assumed: 'The car at {name} is assumed to be connected from 17:00 until it leaves, each week as in the goals.',
  car_learned:
    'The car at {name} is assumed to be connected when it usually was in the last weeks until it leaves, each week as in the goals.',
  car_later: 'After two days, the car at {name} is assumed to charge evenly while it is connected.',
  car_away: 'The car at {name} is away; it is assumed to need {energy_kwh} when it is back.',
  battery_silent: '{name} has sent no values for five minutes, so its battery is not planned.',
  battery_size_missing: '{name} does not report the capacity of its battery. Enter it in the goals.',
  battery_level_missing: '{name} does not report the state of charge of its battery, so it is not planned.',
  car_silent: '{name} has sent no values for five minutes, so its car is not planned.',
  car_size_missing:
    'The capacity of the car at {name} is not known. Enter it in the goals, or the energy of an average day if the charger does not report the state of charge.',
  car_energy_missing: '{name} does not report the state of charge. Enter the energy of an average day in the goals.',
  car_no_departure:
    'The car at {name} is not planned and charges by itself, because it has no departure. Enter one in the goals.',
  too_many_storages: '{name} is not planned: a plan has at most 16 batteries and cars, and the 16 largest are planned.',
  weather_no_position: 'The site has no position, so load and sun are forecast without weather.',
  weather_unknown: 'No weather source has answered, so load and sun are forecast without weather.',
  weather_of: 'Load and sun are forecast with weather of {name} (CC BY 4.0).',
  weather_old: 'Load and sun are forecast with weather of {name} (CC BY 4.0), last received at {at}.',
  meter_missing: 'The site has no meter at the grid connection, so what the house uses is not known.',
  price_area_missing:
    'The site has no price area. Set its price_area, such as SE3, or its position if it is in Sweden.',
  price_service_missing:
    'This platform has no price service. Start it with prices (ohmstead up), or set PRICE_URL to the address of one.',
  price_service_silent: 'The price service did not answer.',
  planning_failed: 'Planning failed. It is tried again.',
  values_awaited: 'Waiting for the first values of {name}.',
  battery_assumed: 'The power of the battery of {name} is assumed to be {power_kw}.',
} as const satisfies Record<string, string>;

export type PlanSentence = keyof typeof planSentences;

export const PlanSaying = Titled('PlanSaying', {
  key: OneOf(keysOf(planSentences), { description: 'names the sentence' }),
  ...optional({
    power_kw: Type.Number({ description: 'this and the other numbers are rounded as in the English text' }),
    grid_kw: Type.Number(),
    energy_kwh: Type.Number(),
    price: Type.Number({ description: 'per kWh' }),
    price_then: Type.Number({ description: 'per kWh' }),
    saved: Type.Number({ description: 'per kWh' }),
    worth: Type.Number({ description: 'per kWh' }),
    fee: Type.Number(),
    amount: Type.Number(),
    at: Timestamp,
    name: Type.String(),
  }),
});
export type PlanSaying = Static<typeof PlanSaying>;

/** Finds the key of an English sentence without values. */
export function sayingOf(text: string): PlanSaying | null {
  const key = keysOf(planSentences).find((known) => planSentences[known] === text);
  return key ? { key } : null;
}

/** Finds the sentence that an English text is, with its values as they are written there. */
export function sentenceIn(sentences: Readonly<Record<string, string>>, text: string) {
  for (const sentence of Object.values(sentences)) {
    const pattern = sentence.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>.+?)');
    const found = new RegExp(`^${pattern}$`).exec(text);
    if (found) return { sentence, values: found.groups ?? {} };
  }
  return undefined;
}

/** Returns a sentence with its values, as a language writes them. */
export function fillSentence(
  template: string,
  saying: PlanSaying,
  write: (name: string, value: string | number) => string,
) {
  const values = new Map<string, string | number | undefined>(Object.entries(saying));
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values.get(name);
    return value === undefined ? '' : write(name, value);
  });
}

/** Joins the clauses of what a plan saves, and where from. */
export const joinClauses = ([first = '', ...others]: readonly string[]): string =>
  `${first}${others.length > 0 ? `: ${others.join(', ')}` : ''}.`;
