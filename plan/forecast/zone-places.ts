import type { GeoPosition } from './sun.ts';

// The capital or largest city of each zone, in whole degrees: near enough for how the sun changes within weeks.
const places: Readonly<Record<string, readonly [latitude: number, longitude: number]>> = {
  'Atlantic/Reykjavik': [64, -22],
  'Europe/Amsterdam': [52, 5],
  'Europe/Athens': [38, 24],
  'Europe/Belgrade': [45, 20],
  'Europe/Berlin': [52, 11],
  'Europe/Bratislava': [48, 17],
  'Europe/Brussels': [51, 4],
  'Europe/Bucharest': [44, 26],
  'Europe/Budapest': [47, 19],
  'Europe/Copenhagen': [56, 11],
  'Europe/Dublin': [53, -6],
  'Europe/Helsinki': [61, 25],
  'Europe/Kyiv': [50, 31],
  'Europe/Lisbon': [39, -9],
  'Europe/Ljubljana': [46, 15],
  'Europe/London': [52, -1],
  'Europe/Luxembourg': [50, 6],
  'Europe/Madrid': [40, -4],
  'Europe/Oslo': [60, 10],
  'Europe/Paris': [48, 2],
  'Europe/Prague': [50, 14],
  'Europe/Riga': [57, 24],
  'Europe/Rome': [43, 12],
  'Europe/Sofia': [43, 24],
  'Europe/Stockholm': [59, 17],
  'Europe/Tallinn': [59, 25],
  'Europe/Vienna': [48, 16],
  'Europe/Vilnius': [55, 25],
  'Europe/Warsaw': [52, 20],
  'Europe/Zagreb': [46, 16],
  'Europe/Zurich': [47, 8],
};

/** Returns a place in a time zone, for homes whose place is not known. */
export function placeIn(timezone: string): GeoPosition | undefined {
  const place = places[timezone];
  return place && { latitude: place[0], longitude: place[1] };
}
