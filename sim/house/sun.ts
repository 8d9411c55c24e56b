import { noise } from './noise.ts';

export type Place = { latitude: number; longitude: number };

const dayMs = 86_400_000;
const yearMs = 365.2425 * dayMs;
const radians = Math.PI / 180;

/** Hours since midnight by the sun. */
export function solarHour(at: number, { longitude }: Place): number {
  const hours = (at / 3_600_000 + longitude / 15) % 24;
  return hours < 0 ? hours + 24 : hours;
}

/** Sine of the height of the sun over the horizon. */
export function sunHeight(at: number, place: Place): number {
  const sinceSolstice = at / yearMs - 1970 + 10 / 365; // in years, from 22 December
  const declination = -23.44 * radians * Math.cos(2 * Math.PI * sinceSolstice);
  const latitude = place.latitude * radians;
  const hourAngle = (solarHour(at, place) - 12) * 15 * radians;
  return Math.sin(latitude) * Math.sin(declination) + Math.cos(latitude) * Math.cos(declination) * Math.cos(hourAngle);
}

/** What share of a clear sky's light reaches the roof: weather over hours, clouds over minutes. */
const clearness = (at: number, seed: number): number => {
  const weather = noise(seed + 1, at, 6 * 3_600_000);
  const cloud = noise(seed + 2, at, 7 * 60_000);
  return 1 - 0.8 * weather * weather * (0.5 + 0.5 * cloud);
};

/** Share of the peak power of the roof, 0 at night. */
export const sunshine = (at: number, place: Place, seed: number): number =>
  Math.max(0, sunHeight(at, place)) ** 1.15 * clearness(at, seed);
