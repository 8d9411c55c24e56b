import { number, texts } from '../../parts/text.ts';
import tiers from './places.json' with { type: 'json' };

/** A town by its local name. The more important it is, the further out the map names it. */
export type Place = { name: string; latitude: number; longitude: number; tier: 0 | 1 | 2 };

export const places: readonly Place[] = tiers.flatMap((list, tier) =>
  list.map(([name, latitude, longitude]) => ({ name, latitude, longitude, tier }) as Place),
);

const t = texts({
  at: 'Near {place}',
  north: '{distance} km north of {place}',
  northEast: '{distance} km north-east of {place}',
  east: '{distance} km east of {place}',
  southEast: '{distance} km south-east of {place}',
  south: '{distance} km south of {place}',
  southWest: '{distance} km south-west of {place}',
  west: '{distance} km west of {place}',
  northWest: '{distance} km north-west of {place}',
  degreesNorth: '{degrees}° N',
  degreesSouth: '{degrees}° S',
  degreesEast: '{degrees}° E',
  degreesWest: '{degrees}° W',
});

const directions = ['north', 'northEast', 'east', 'southEast', 'south', 'southWest', 'west', 'northWest'] as const;
const degreeKm = 111.2;
const cellRadiusKm = 4; // within it, a direction would be more precise than the place of a cell
const maxKm = 150;

/** Describes a position by the closest town; undefined far from all of them. */
export function placeWords(latitude: number, longitude: number): string | undefined {
  const widthKm = degreeKm * Math.cos((latitude * Math.PI) / 180);
  let closest: { name: string; eastKm: number; northKm: number; distanceKm: number } | undefined;
  for (const place of places) {
    const northKm = (latitude - place.latitude) * degreeKm;
    const eastKm = (longitude - place.longitude) * widthKm;
    const distanceKm = Math.hypot(eastKm, northKm);
    if (distanceKm < (closest?.distanceKm ?? maxKm)) closest = { name: place.name, eastKm, northKm, distanceKm };
  }
  if (!closest) return undefined;
  const { name, eastKm, northKm, distanceKm } = closest;
  if (distanceKm < cellRadiusKm) return t('at', { place: name });
  const eighths = Math.round(Math.atan2(eastKm, northKm) / (Math.PI / 4));
  return t(directions.at(eighths) ?? 'north', { distance: number(distanceKm), place: name });
}

/** Returns a position as 59.3° N, 18.1° E. */
export const positionWords = (latitude: number, longitude: number): string =>
  [
    t(latitude < 0 ? 'degreesSouth' : 'degreesNorth', { degrees: number(Math.abs(latitude), 1) }),
    t(longitude < 0 ? 'degreesWest' : 'degreesEast', { degrees: number(Math.abs(longitude), 1) }),
  ].join(', ');
