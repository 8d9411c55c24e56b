import type { Db } from './engine.ts';
import { prepared } from './prepared.ts';
import type { AuditRow } from './schema.ts';
import type { Slice } from './slice.ts';

const addAudit = prepared((db, { id, org_id, at, actor, action, object, details }: AuditRow) =>
  db.insertInto('audit').values({ id, org_id, at, actor, action, object, details }),
);

export async function insertAudit(db: Db, entry: AuditRow): Promise<void> {
  await addAudit(db, entry);
}

/** Newest first. */
export function listAudit(db: Db, orgId: string, { after, limit }: Slice): Promise<AuditRow[]> {
  let query = db.selectFrom('audit').where('org_id', '=', orgId).selectAll().orderBy('id', 'desc').limit(limit);
  if (after !== undefined) query = query.where('id', '<', after);
  return query.execute();
}
