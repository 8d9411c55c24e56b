import tzLookup from '@photostructure/tz-lookup';
import { cellToLatLng, latLngToCell } from 'h3-js';
import type { Site } from '#contract/cloud/sites.ts';
import { fieldProblem } from '#contract/problem.ts';
import { formatTime } from '#contract/time.ts';
import { isTimeZone } from '#contract/time-zone.ts';
import type { SiteRow } from '../store/schema.ts';

/** Converts a row to the API form, without unknown fields. */
export function siteOf(row: SiteRow): Site {
  const site: Site = { id: row.id, org_id: row.org_id, name: row.name, created_at: formatTime(row.created_at) };
  if (row.latitude !== null) site.latitude = row.latitude;
  if (row.longitude !== null) site.longitude = row.longitude;
  if (row.timezone !== null) site.timezone = row.timezone;
  if (row.country !== null) site.country = row.country;
  if (row.price_area !== null) site.price_area = row.price_area;
  if (row.tariff_id !== null) site.tariff_id = row.tariff_id;
  if (row.fuse_a !== null) site.fuse_a = row.fuse_a;
  return site;
}

type Settable = 'name' | 'latitude' | 'longitude' | 'timezone' | 'country' | 'price_area' | 'tariff_id' | 'fuse_a';
export type SiteChanges = { [Field in Settable]?: SiteRow[Field] | undefined };

/** Applies changes to a site, and derives its cell and time zone from its position. */
export function changeSite(site: SiteRow, changes: SiteChanges): SiteRow {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const changed: SiteRow = { ...site, ...given };
  const { latitude, longitude } = changed;
  if ((latitude === null) !== (longitude === null)) {
    const missing = latitude === null ? 'body.latitude' : 'body.longitude';
    throw fieldProblem('unprocessable', missing, 'latitude and longitude must be set together');
  }
  if (typeof changes.timezone === 'string') changed.timezone = namedTimeZone(changes.timezone);
  if (changes.timezone !== undefined) changed.timezone_set = changes.timezone === null ? 0 : 1;
  const position = latitude === null || longitude === null ? undefined : { latitude, longitude };
  return {
    ...changed,
    cell: position ? cellAt(position) : null,
    timezone: changed.timezone_set ? changed.timezone : position ? timezoneAt(position) : null,
  };
}

function namedTimeZone(text: string): string {
  const name = timeZoneName(text);
  if (name) return name;
  throw fieldProblem('unprocessable', 'body.timezone', 'is not an IANA time zone, for example Europe/Stockholm');
}

export const blankSite = (id: string, org_id: string, name: string, now: number): SiteRow => ({
  id,
  org_id,
  name,
  created_at: now,
  latitude: null,
  longitude: null,
  cell: null,
  timezone: null,
  timezone_set: 0,
  country: null,
  price_area: null,
  tariff_id: null,
  fuse_a: null,
});

type Position = { latitude: number; longitude: number };

/** About 36 square kilometres, the finest resolution that is published. */
const resolution = 6;

const cellAt = ({ latitude, longitude }: Position): string => latLngToCell(latitude, longitude, resolution);

export function centreOf(cell: string): Position {
  const [latitude, longitude] = cellToLatLng(cell);
  return { latitude, longitude };
}

const timezoneAt = ({ latitude, longitude }: Position): string => tzLookup(latitude, longitude);

// Other abbreviations are ambiguous: the system reads BST as Bangladesh.
const abbreviations = /^(CET|EET|EST|GB|GMT|HST|MET|MST|NZ|PRC|ROC|ROK|UCT|UTC|WET)$/;

// Words that are not simply capitalized: Isle_of_Man, Dar_es_Salaam, Port-au-Prince; GB-Eire, NZ-CHAT, W-SU; McMurdo.
const small = 'of es au';
const large = 'ACT CHAT GB GMT IN LHI NSW NZ SU UCT US UTC';
const mixed = 'BajaNorte BajaSur ComodRivadavia DeNoronha DumontDUrville EasterIsland McMurdo';
const oddWords = new Map(`${small} ${large} ${mixed}`.split(' ').map((word) => [word.toLowerCase(), word]));

/** Returns the canonical spelling of an IANA time zone, also of an alias (not Asia/Calcutta for Asia/Kolkata). */
export function timeZoneName(text: string): string | undefined {
  if (!/^[A-Z]/i.test(text) || !isTimeZone(text)) return undefined;
  if (/^[A-Z]{2,3}$/i.test(text)) return abbreviations.exec(text.toUpperCase())?.[0];
  if (/^[A-Z]{3}\d[A-Z]{3}$/i.test(text)) return text.toUpperCase(); // EST5EDT
  return text.toLowerCase().replaceAll(/[a-z]+/g, (word) => oddWords.get(word) ?? capitalized(word));
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
