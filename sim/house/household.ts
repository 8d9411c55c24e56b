import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { noise } from './noise.ts';

const yearMs = 365.2425 * dayMs;

/** The moments of a house in its solar time: its days and hours shift with the longitude, not with a time zone. */
export type SolarTime = { hour: number; weekday: number; month: number; date: number };

export function solarTime(at: number, longitude: number): SolarTime {
  const local = new Date(at + (longitude / 15) * hourMs);
  const hour = (local.getTime() % dayMs) / hourMs;
  return { hour, weekday: local.getUTCDay(), month: local.getUTCMonth() + 1, date: local.getUTCDate() };
}

const publicHolidays = new Set(['1-1', '1-6', '5-1', '6-6', '12-24', '12-25', '12-26', '12-31']);

/** Tells whether nobody goes to work: at weekends and on holidays with a fixed date. */
const isFree = ({ weekday, month, date }: SolarTime): boolean =>
  weekday === 0 || weekday === 6 || publicHolidays.has(`${month}-${date}`);

/** Tells whether the family is travelling: two weeks in July and some days of February. */
const isAway = ({ month, date }: SolarTime): boolean =>
  (month === 7 && date >= 8 && date <= 21) || (month === 2 && date >= 23 && date <= 26);

/** Tells whether the car is at home: at night, and in its free time except for an outing. */
export function isCarAtHome(time: SolarTime): boolean {
  if (isAway(time)) return false;
  const { hour } = time;
  if (isFree(time)) return hour < 10.5 || hour >= (time.weekday === 0 ? 10.5 : 15.5);
  return hour >= 17.5 || hour < 7.5;
}

/** Returns the temperature outside in °C: seasons, weather over days, and warmer afternoons. */
function temperatureAt(at: number, { hour }: SolarTime, latitude: number, seed: number): number {
  const sinceColdest = at / yearMs - 1970 - 27 / 365; // in years, from 27 January
  const mean_C = 20.5 - latitude / 4.4;
  const season_C = -11 * Math.cos(2 * Math.PI * sinceColdest);
  const weather_C = 12 * (noise(seed + 20, at, 3 * dayMs) - 0.5);
  return mean_C + season_C + weather_C + 3 * Math.cos(((hour - 15) / 12) * Math.PI);
}

const heatedTo_C = 16; // people and appliances add the rest
const heatPumpPerDegree_W = 65;

const bump = (hour: number, around: number, width: number): number => Math.exp(-(((hour - around) / width) ** 2));

/**
 * Returns the consumption of the house in W: base load, heat pump, meals, and an occasional kettle. Never stands still: fans,
 * pumps and chargers change by some watts within seconds.
 */
export function householdLoad(
  at: number,
  time: SolarTime,
  { latitude, seed }: { latitude: number; seed: number },
): number {
  const { hour } = time;
  const base = 180 + 24 * noise(seed + 21, at, 5000) + 60 * noise(seed + 22, at, 40_000);
  const fridge = noise(seed + 4, at, 20 * minuteMs) > 0.5 ? 90 : 0;
  const heatPump =
    heatPumpPerDegree_W *
    Math.max(0, heatedTo_C - temperatureAt(at, time, latitude, seed)) *
    (0.6 + 0.8 * noise(seed + 23, at, 25 * minuteMs));
  if (isAway(time)) return base + fridge + heatPump / 2;
  const free = isFree(time);
  const morning = free ? 900 * bump(hour, 9.3, 1.4) : 1100 * bump(hour, 7.3, 1);
  const atHome = (free ? 500 : 150) * bump(hour, 13.5, 4);
  const people = morning + atHome + 1900 * bump(hour, 18.8, 1.8);
  const restless = 0.6 + 0.8 * noise(seed + 3, at, 4 * minuteMs);
  const kettle = people > 300 && noise(seed + 5, at, 150_000) > 0.93 ? 1800 : 0;
  return base + fridge + heatPump + people * restless + kettle;
}
