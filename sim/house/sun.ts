import { dayMs, hourMs, minuteMs } from '#contract/time.ts';
import { noise } from './noise.ts';
import type { Conditions } from './state.ts';

type GeoPosition = { latitude: number; longitude: number };

const yearMs = 365.2425 * dayMs;
const radians = Math.PI / 180;
const maxAttenuation = 0.8; // share of the light that an overcast sky absorbs

/** Returns the solar time in hours since midnight. */
export function solarHour(at: number, { longitude }: GeoPosition): number {
  const hours = (at / hourMs + longitude / 15) % 24;
  return hours < 0 ? hours + 24 : hours;
}

export type Sky = ReturnType<typeof skyAt>;

/** Returns solar time, elevation of the sun, cloud cover (0 to 1) and share of the peak power, unless overridden. */
export function skyAt(
  at: number,
  position: GeoPosition,
  seed: number,
  { clouds, sunHour }: Pick<Conditions, 'clouds' | 'sunHour'>,
) {
  const hour = sunHour ?? solarHour(at, position);
  const height = sunHeight(at, position, hour);
  const cover = clouds ?? cloudCover(at, seed);
  return {
    hour,
    elevation_deg: Math.asin(height) / radians,
    clouds: cover,
    sunshine_fract: Math.max(0, height) ** 1.15 * (1 - maxAttenuation * cover),
  };
}

/** Returns the sine of the elevation of the sun. */
function sunHeight(at: number, position: GeoPosition, hour: number): number {
  const sinceSolstice = at / yearMs - 1970 + 10 / 365; // in years, from 22 December
  const declination = -23.44 * radians * Math.cos(2 * Math.PI * sinceSolstice);
  const latitude = position.latitude * radians;
  const hourAngle = (hour - 12) * 15 * radians;
  return Math.sin(latitude) * Math.sin(declination) + Math.cos(latitude) * Math.cos(declination) * Math.cos(hourAngle);
}

/** Combines weather over hours with clouds over minutes. */
function cloudCover(at: number, seed: number): number {
  const weather = noise(seed + 1, at, 6 * hourMs);
  const cloud = noise(seed + 2, at, 7 * minuteMs);
  return weather * weather * (0.5 + 0.5 * cloud);
}
