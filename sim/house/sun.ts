import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import type { Conditions } from './conditions.ts';
import { noise } from './noise.ts';

export type Place = { latitude: number; longitude: number };

const yearMs = 365.2425 * dayMs;
const radians = Math.PI / 180;
const thickest = 0.8; // of the light that an overcast sky keeps

/** Hours since midnight by the sun. */
export function solarHour(at: number, { longitude }: Place): number {
  const hours = (at / hourMs + longitude / 15) % 24;
  return hours < 0 ? hours + 24 : hours;
}

/** What is over the roof at a moment. */
export type Sky = {
  /** by the sun, highest at 12 */
  hour: number;
  elevation_deg: number;
  /** 0 to 1 */
  clouds: number;
  /** share of the peak power of the roof, 0 at night */
  sunshine_fract: number;
};

/** The sky by the clock and its own weather, as far as nothing else is played. */
export function skyAt(
  at: number,
  place: Place,
  seed: number,
  { clouds, sunHour }: Pick<Conditions, 'clouds' | 'sunHour'>,
): Sky {
  const hour = sunHour ?? solarHour(at, place);
  const height = sunHeight(at, place, hour);
  const cover = clouds ?? cloudCover(at, seed);
  return {
    hour,
    elevation_deg: Math.asin(height) / radians,
    clouds: cover,
    sunshine_fract: Math.max(0, height) ** 1.15 * (1 - thickest * cover),
  };
}

/** Sine of the height of the sun over the horizon. */
function sunHeight(at: number, place: Place, hour: number): number {
  const sinceSolstice = at / yearMs - 1970 + 10 / 365; // in years, from 22 December
  const declination = -23.44 * radians * Math.cos(2 * Math.PI * sinceSolstice);
  const latitude = place.latitude * radians;
  const hourAngle = (hour - 12) * 15 * radians;
  return Math.sin(latitude) * Math.sin(declination) + Math.cos(latitude) * Math.cos(declination) * Math.cos(hourAngle);
}

/** Weather over hours, clouds over minutes. */
function cloudCover(at: number, seed: number): number {
  const weather = noise(seed + 1, at, 6 * hourMs);
  const cloud = noise(seed + 2, at, 7 * minuteMs);
  return weather * weather * (0.5 + 0.5 * cloud);
}
