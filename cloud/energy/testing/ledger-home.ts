import { Ledger, type LedgerDeps, type StoredReading } from '#cloud/energy/ledger.ts';
import { readQuarters, type SiteQuarters } from '#cloud/energy/report.ts';
import { runStatements } from '#cloud/store/kysely.ts';
import { openStore, type Store } from '#cloud/store/store.ts';
import { openTelemetry } from '#cloud/store/telemetry/open.ts';
import type { TelemetryStore } from '#cloud/store/telemetry/telemetry-store.ts';
import type { DerTypeId, DeviceTypeId } from '#contract/der.ts';
import { dayMs } from '#contract/time.ts';
import { createLog } from '#lib/log.ts';
import type { EngineName } from '#test/cloud/open-cloud.ts';
import { createFakeClock } from '#test/fake-clock.ts';
import { freshDatabase } from '#test/services/postgres.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';

const log = createLog({ level: 'silent', name: 'test' });

export type HomeDer = { no: number; derType: DerTypeId; deviceType: DeviceTypeId };

/** Values of a reading; absent ones are left out. */
export type Values = { W?: number; in?: number; out?: number };

const names: Record<DerTypeId, { in: string; out: string }> = {
  meter: { in: 'total_import_Wh', out: 'total_export_Wh' },
  load: { in: 'total_import_Wh', out: 'total_export_Wh' },
  solar: { in: 'total_import_Wh', out: 'total_generation_Wh' },
  battery: { in: 'total_charge_Wh', out: 'total_discharge_Wh' },
  ev_charger_port: { in: 'total_charge_Wh', out: 'total_discharge_Wh' },
};

type Options = { engine?: EngineName; now: number };

/** Opens both databases, with sites that tests add, on a clock of the test. */
export async function openLedgerHome(
  t: { after(work: () => void | Promise<void>): void },
  { engine = 'sqlite', now }: Options,
) {
  const dataDir = temporaryFolder(t);
  const database = engine === 'postgres' ? await freshDatabase() : undefined;
  const place = { dataDir, databaseUrl: database?.url, log };
  const stores: Store[] = [];
  /** Opens the registry as a process does. */
  const openRegistry = async (): Promise<Store> => {
    const opened = await openStore(place);
    stores.push(opened);
    return opened;
  };
  const store = await openRegistry();
  const retention = { rawMs: 30 * dayMs, minutesMs: 365 * dayMs, hoursMs: Number.POSITIVE_INFINITY };
  const telemetry = await openTelemetry({ ...place, partitions: 2, retention });
  const clock = createFakeClock(now);
  const open = (more: Partial<LedgerDeps> = {}): Ledger =>
    new Ledger({ store, telemetry, clock, log, isShared: false, isSplit: false, ...more });
  t.after(async () => {
    await telemetry.close();
    for (const each of stores) await each.close();
    await database?.drop();
  });
  return { registry: store, openRegistry, telemetry, clock, open, ...steps(store, telemetry, now) };
}

function steps(store: Store, telemetry: TelemetryStore, now: number) {
  let received = 1;
  const sampleOf = (der: HomeDer, at: number, { W, in: inWh, out }: Values) => {
    const body = JSON.stringify({ timestamp: at, W, [names[der.derType].in]: inWh, [names[der.derType].out]: out });
    return { der: der.no, at, received: received++, body };
  };
  const notedOf = (siteId: string, der: HomeDer, at: number, { W, in: inWh, out }: Values): StoredReading => ({
    der: der.no,
    at,
    power: W ?? Number.NaN,
    inWh: der.derType === 'solar' ? Number.NaN : (inWh ?? Number.NaN), // solar panels have no such register
    outWh: out ?? Number.NaN,
    route: { site_id: siteId, der_type: der.derType, device_type: der.deviceType, gateway_serial: 'gw' },
  });
  return {
    /** Adds a site with DERs. */
    async addSite(siteId: string, ders: readonly HomeDer[], createdAt = now): Promise<void> {
      await store.write(async ({ db }) => {
        const org = await db.selectFrom('organizations').select('id').executeTakeFirst();
        if (!org) {
          await runStatements(
            db,
            `insert into organizations (id, name, created_at) values ('org', 'Home', 1);
             insert into gateways (serial, org_id, public_key, listed, ownership_at_s, online)
               values ('gw', 'org', 'key', 0, 1, 0)`,
          );
        }
        await db
          .insertInto('sites')
          .values({
            id: siteId,
            org_id: 'org',
            name: 'House',
            created_at: 1,
            timezone: 'Europe/Stockholm',
            timezone_set: 1,
          })
          .execute();
        for (const { no, derType, deviceType } of ders) {
          const device = {
            id: `dev-${no}`,
            org_id: 'org',
            site_id: siteId,
            gateway_serial: 'gw',
            hardware_id: `${no}`,
            topic_id: `${no}`,
          };
          await db
            .insertInto('devices')
            .values({
              ...device,
              type: deviceType,
              name: `Device ${no}`,
              state: 'active',
              online: 0,
              created_at: 1,
            })
            .execute();
          await db
            .insertInto('ders')
            .values({ id: `der-${no}`, no, device_id: device.id, name: 'der', type: derType, created_at: createdAt })
            .execute();
        }
      });
    },

    /** Stores readings and notes them, as ingest does. */
    async send(
      ledger: Ledger,
      siteId: string,
      readings: readonly { der: HomeDer; at: number; values: Values }[],
    ): Promise<void> {
      await telemetry.append(readings.map(({ der, at, values }) => sampleOf(der, at, values)));
      await ledger.note(readings.map(({ der, at, values }) => notedOf(siteId, der, at, values)));
    },

    /** Stores readings only, as a process does that is killed before it notes them. */
    async store(readings: readonly { der: HomeDer; at: number; values: Values }[]): Promise<void> {
      await telemetry.append(readings.map(({ der, at, values }) => sampleOf(der, at, values)));
    },

    async quarters(ledger: Ledger | undefined, siteId: string, from: number, to: number): Promise<SiteQuarters> {
      return readQuarters(store.db, siteId, from, to, (await ledger?.unwritten(siteId)) ?? []);
    },
  };
}
