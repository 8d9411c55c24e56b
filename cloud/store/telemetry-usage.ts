import type { Db } from './engine.ts';
import { sql } from './kysely.ts';
import { prepared } from './prepared.ts';
import type { Schema } from './schema.ts';

export type UsageRow = Schema['telemetry_usage'];

/** Adds the bytes of each organization and day, and returns the sums over all processes. */
export const addUsage = (db: Db, rows: readonly UsageRow[]): Promise<UsageRow[]> =>
  db
    .insertInto('telemetry_usage')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['org_id', 'day']).doUpdateSet({ bytes: sql<number>`telemetry_usage.bytes + excluded.bytes` }),
    )
    .returningAll()
    .execute();

export const listUsage = (db: Db, day: number): Promise<UsageRow[]> =>
  db.selectFrom('telemetry_usage').where('day', '=', day).selectAll().execute();

const ofOrganization = prepared((db, { org, day }: { org: string; day: number }) =>
  db.selectFrom('telemetry_usage').where('org_id', '=', org).where('day', '=', day).select('bytes'),
);

export const readUsage = async (db: Db, orgId: string, day: number): Promise<number> =>
  (await ofOrganization(db, { org: orgId, day }))[0]?.bytes ?? 0;

export async function deleteUsageBefore(db: Db, day: number): Promise<void> {
  await db.deleteFrom('telemetry_usage').where('day', '<', day).execute();
}
