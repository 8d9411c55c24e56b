import { latLngToCell } from 'h3-js';
import type { RawBuilder } from 'kysely';
import type { Db } from '#cloud/store/engine.ts';
import { sql } from '#cloud/store/kysely.ts';
import type { Store } from '#cloud/store/store.ts';

/** Sites are dealt out to organizations in turn. The owner is in the first organization only. */
export type Population = {
  sites: number;
  organizations: number;
  ownerId: string;
  /** map cells over which the sites are spread */
  places?: number;
};

const dersOfSite = 5;
const devicesOfSite = 2;
const dersOfFirstDevice = 3;
const mostPlaces = 3000;
const at = Date.UTC(2026, 0, 1);

// As long and as ordered as real ids.
const uuidStart = '019b7600-0000-7000-8000-';
const firstNumber = 100_000_000_000;

type Kind = 'org' | 'idt' | 'sit' | 'dev' | 'der';

export const idOf = (kind: Kind, number: number): string => `${kind}-${uuidStart}${firstNumber + number}`;

const id = (kind: Kind, number: RawBuilder<unknown>) =>
  sql`${sql.lit(`${kind}-${uuidStart}`)} || (${sql.lit(firstNumber)} + ${number})`;

export const serialOf = (number: number): string => `ohm-${firstNumber + number}`;

const serial = (number: RawBuilder<unknown>) => sql`'ohm-' || (${sql.lit(firstNumber)} + ${number})`;

/** Creates a registry of this size inside the database: row by row it would take minutes. */
export async function fill(store: Store, population: Population): Promise<void> {
  await store.write(async ({ db }) => {
    await fillOrganizations(db, population);
    await fillSites(db, population);
    await fillDevices(db, population);
    await countCells(db);
  });
  if (store.kind === 'postgres') await sql`vacuum analyze`.execute(store.db); // as autovacuum would do soon
}

/** Yields the numbers from 0, each in a row as `n`. */
const numbers = (count: number) =>
  sql`with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n + 1 < ${sql.lit(count)})`;

const n = sql.ref('n');

async function fillOrganizations(db: Db, { organizations, ownerId }: Population): Promise<void> {
  await sql`insert into organizations (id, name, created_at)
    ${numbers(organizations)} select ${id('org', n)}, 'Organization ' || n, ${sql.lit(at)} from numbers`.execute(db);
  await sql`insert into identities (id, public_key, type, created_at)
    ${numbers(organizations)} select ${id('idt', n)}, 'key ' || n, 'user', ${sql.lit(at)} from numbers`.execute(db);
  await sql`insert into members (org_id, identity_id, role, joined_at)
    ${numbers(organizations)} select ${id('org', n)},
    case when n = 0 then ${sql.lit(ownerId)} else ${id('idt', n)} end, 'owner', ${sql.lit(at)} from numbers`.execute(
    db,
  );
}

async function fillSites(db: Db, { sites, organizations, places: placeCount = mostPlaces }: Population): Promise<void> {
  await sql`create temporary table places
    (number integer primary key, latitude double precision, longitude double precision, cell text)`.execute(db);
  for (const place of places(placeCount)) {
    await sql`insert into places values (${place.number}, ${place.latitude}, ${place.longitude}, ${place.cell})`.execute(
      db,
    );
  }
  const organization = sql`n % ${sql.lit(organizations)}`;
  await sql`insert into sites
    (id, org_id, name, created_at, latitude, longitude, cell, timezone, timezone_set, country, fuse_a)
    ${numbers(sites)} select ${id('sit', n)}, ${id('org', organization)}, 'House ' || n, ${sql.lit(at)},
    latitude, longitude, cell, 'Europe/Stockholm', 0, 'SE', 20
    from numbers join places on number = n % ${sql.lit(placeCount)}`.execute(db);
  await sql`drop table places`.execute(db);
}

async function fillDevices(db: Db, { sites, organizations }: Population): Promise<void> {
  const organization = sql`n % ${sql.lit(organizations)}`;
  await sql`insert into gateways (serial, org_id, public_key, listed, claimed_at, ownership_at_s, online)
    ${numbers(sites)} select ${serial(n)}, ${id('org', organization)}, 'key ' || n, 0, ${sql.lit(at)},
    ${sql.lit(at / 1000)}, 1 from numbers`.execute(db);

  const site = sql`n / ${sql.lit(devicesOfSite)}`;
  const isFirst = sql`n % ${sql.lit(devicesOfSite)} = 0`;
  const owner = sql`${site} % ${sql.lit(organizations)}`;
  await sql`insert into devices
    (id, org_id, site_id, gateway_serial, hardware_id, topic_id, type, name, state, online, created_at)
    ${numbers(sites * devicesOfSite)} select ${id('dev', n)}, ${id('org', owner)}, ${id('sit', site)}, ${serial(site)},
    'HW-' || n, 'HW-' || n, case when ${isFirst} then 'inverter' else 'meter' end, 'Device ' || n, 'active', 1,
    ${sql.lit(at)} from numbers`.execute(db);

  const siteOfDer = sql`n / ${sql.lit(dersOfSite)}`;
  const place = sql`n % ${sql.lit(dersOfSite)}`;
  const device = sql`${siteOfDer} * ${sql.lit(devicesOfSite)}
    + case when ${place} < ${sql.lit(dersOfFirstDevice)} then 0 else 1 end`;
  const scattered = sql`(n + 1) * 88172645463 % 140737488355328`; // each once, below 2^47, as if drawn by lot
  await sql`insert into ders (id, no, device_id, name, type, created_at)
    ${numbers(sites * dersOfSite)} select ${id('der', n)}, ${scattered}, ${id('dev', device)}, 'der ' || (${place}),
    case ${place} when 0 then 'solar' when 1 then 'battery' when 2 then 'meter' when 3 then 'meter' else 'load' end,
    ${sql.lit(at)} from numbers`.execute(db);
}

async function countCells(db: Db): Promise<void> {
  await sql`insert into cells (h3_index, site_count) select cell, count(*) from sites group by cell`.execute(db);
  await sql`insert into cell_ders (h3_index, der_type, der_count)
    select cell, ders.type, count(*) from sites
    join devices on devices.site_id = sites.id join ders on ders.device_id = devices.id
    group by cell, ders.type`.execute(db);
}

/** A grid over northern Europe, wide enough that each place has its own cell. */
function places(count: number) {
  return Array.from({ length: count }, (_, number) => {
    const latitude = 50 + Math.floor(number / 60) * 0.2;
    const longitude = 5 + (number % 60) * 0.3;
    return { number, latitude, longitude, cell: latLngToCell(latitude, longitude, 6) };
  });
}
