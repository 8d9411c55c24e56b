import { latLngToCell } from 'h3-js';
import type { Db } from '#cloud/store/engine.ts';
import { sql } from '#cloud/store/kysely.ts';
import type { Person, TestCloud } from '../../cloud/open-cloud.ts';
import { p256 } from '../../cloud/people.ts';

/** An organization that has this many of everything, with its owner. */
export type Holding = { owner: Person; org: string; site: string; serial: string; device: string; der: string };

let holdings = 0;

const lat = (n: number): number => 35 + (n % 250) * 0.12;
const lng = (n: number): number => -10 + Math.floor(n / 250) * 0.2;

/** A holding of a size, made inside the database: request by request it would take minutes. */
export async function createHolding(cloud: TestCloud, size: number): Promise<Holding> {
  const mark = `g${++holdings}`;
  const at = cloud.clock.now();
  const { owner, org, site, gateway, device } = await cloud.home();
  const der = device.ders[0].id as string;
  await cloud.store.write(async ({ db }) => {
    const add = (into: string, select: string): Promise<void> => insert(db, into, select, size);
    await add(
      'identities (id, public_key, type, created_at)',
      `'idt-${mark}-' || n, 'key ${mark} ' || n, 'user', ${at}`,
    );
    await add('members (org_id, identity_id, role, joined_at)', `'${org}', 'idt-${mark}-' || n, 'viewer', ${at}`);
    await add('organizations (id, name, created_at)', `'org-${mark}-' || n, 'Organization ' || n, ${at}`);
    await add('members (org_id, identity_id, role, joined_at)', `'org-${mark}-' || n, '${owner.id}', 'owner', ${at}`);
    await add(
      'sites (id, org_id, name, created_at, timezone_set)',
      `'sit-${mark}-' || n, '${org}', 'House ' || n, ${at}, 0`,
    );
    await add(
      'gateways (serial, org_id, public_key, listed, claimed_at, ownership_at_s, online)',
      `'ohm-${mark}-' || n, '${org}', 'key ${mark} ' || n, 0, ${at}, ${Math.floor(at / 1000)}, 0`,
    );
    await addDevices(db, { mark, org, site, serial: gateway.serial, at }, size);
    await add(
      'audit (id, org_id, at, actor, action, object, details)',
      `'aud-${mark}-' || n, '${org}', ${at}, '${owner.id}', 'site.updated', '${site}', '{}'`,
    );
    await add(
      'commands (id, der_id, org_id, gateway_serial, power_w, ttl_s, status, created_at, expires_at, history)',
      `'cmd-${mark}-' || n, '${der}', '${org}', '${gateway.serial}', 100, 60, 'expired', ${at}, ${at}, '[]'`,
    );
    await add(
      'orders (id, der_id, power_w, kind, starts_at, ends_at, due_at, failures, created_at, created_by, ended_at, ended_by)',
      `'ord-${mark}-' || n, '${der}', 100, 'duration', ${at}, ${at}, ${at}, 0, ${at}, '${owner.id}', ${at}, 'time'`,
    );
    await add(
      'invitations (id, org_id, secret_hash, role, invited_by, created_at, expires_at)',
      `'inv-${mark}-' || n, '${org}', 'hash ${mark} ' || n, 'viewer', '${owner.id}', ${at}, ${at + 1e9}`,
    );
    await add(
      'oauth_clients (id, org_id, name, redirect_uris, created_at)',
      `'app-${mark}-' || n, '${org}', 'Application ' || n, '["https://a.example/"]', ${at}`,
    );
    await add(
      'oauth_consents (id, identity_id, client_id, scopes, org_ids, created_at, expires_at)',
      `'con-${mark}-' || n, '${owner.id}', 'app-${mark}-' || n, 'read:sites', '["${org}"]', ${at}, ${at + 1e9}`,
    );
  });
  return { owner, org, site, serial: gateway.serial, device: device.id, der };
}

type DevicesOf = { mark: string; org: string; site: string; serial: string; at: number };

/** Devices with two DERs each. */
async function addDevices(db: Db, { mark, org, site, serial, at }: DevicesOf, size: number): Promise<void> {
  await insert(
    db,
    'devices (id, org_id, site_id, gateway_serial, hardware_id, topic_id, type, name, state, online, created_at)',
    `'dev-${mark}-' || n, '${org}', '${site}', '${serial}', 'HW-' || n, 'HW-' || n, 'inverter', 'Device ' || n, 'active', 0, ${at}`,
    size,
  );
  for (const [index, type] of ['solar', 'battery'].entries()) {
    const number = `${(Number(mark.slice(1)) * 2 + index) * 100_000} + n`;
    await insert(
      db,
      'ders (id, no, device_id, name, type, created_at)',
      `'der-${mark}-${type}-' || n, ${number}, 'dev-${mark}-' || n, '${type}', '${type}', ${at}`,
      size,
    );
  }
}

/** A site with this many devices, and its gateway. */
export async function createSite(cloud: TestCloud, { owner, org }: Holding, size: number) {
  const mark = `g${++holdings}`;
  const site = await cloud.site(owner, org, { latitude: 59.33, longitude: 18.07 });
  const { serial } = await cloud.claim(owner, org, p256());
  const at = cloud.clock.now();
  await cloud.store.write(({ db }) => addDevices(db, { mark, org, site, serial, at }, size));
  const ders = await cloud.store.db
    .selectFrom('ders')
    .innerJoin('devices', 'devices.id', 'ders.device_id')
    .where('devices.site_id', '=', site)
    .select(['ders.no', 'ders.id'])
    .execute();
  return { site, serial, ders };
}

/** Sites in one map cell, or each in a cell of its own. */
export async function createCells(
  cloud: TestCloud,
  { org }: Holding,
  size: number,
  isSpread: boolean,
): Promise<string> {
  const mark = `g${++holdings}`;
  const at = cloud.clock.now();
  const cellAt = (n: number): string => latLngToCell(lat(isSpread ? n : holdings), lng(isSpread ? n : holdings), 6);
  await cloud.store.write(async ({ db }) => {
    for (let n = 0; n < size; n++) {
      await sql`insert into sites (id, org_id, name, created_at, latitude, longitude, cell, timezone_set) values
        (${`sit-${mark}-${n}`}, ${org}, 'House', ${at}, ${lat(n)}, ${lng(n)}, ${cellAt(n)}, 0)`.execute(db);
    }
    await sql`insert into cells (h3_index, site_count) select cell, count(*) from sites
      where id like ${`sit-${mark}-%`} group by cell on conflict do nothing`.execute(db);
  });
  return cellAt(0);
}

/** One row for each number from 0; texts are of this file alone. */
async function insert(db: Db, into: string, select: string, size: number): Promise<void> {
  const numbers = `with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n + 1 < ${size})`;
  await sql`${sql.raw(`insert into ${into} ${numbers} select ${select} from numbers`)}`.execute(db);
}
