import tzLookup from '@photostructure/tz-lookup';
import { cellToLatLng, latLngToCell } from 'h3-js';

type Place = { latitude: number; longitude: number };

/** About 36 square kilometres: the finest that is ever shown in public. */
const resolution = 6;

export const cellAt = ({ latitude, longitude }: Place): string => latLngToCell(latitude, longitude, resolution);

export function centreOf(cell: string): Place {
  const [latitude, longitude] = cellToLatLng(cell);
  return { latitude, longitude };
}

export const timezoneAt = ({ latitude, longitude }: Place): string => tzLookup(latitude, longitude);
