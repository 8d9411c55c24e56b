import type { AuditAction } from '#contract/cloud/organizations.ts';
import type { Clock } from '#lib/clock.ts';
import { newId } from '#lib/id.ts';
import type { Db } from '../store/engine.ts';
import { insertAudit } from '../store/organizations.ts';
import type { Store } from '../store/store.ts';

export type OperatorDeps = { store: Store; clock: Clock };

/** Adds an action of the operator to an organization's audit log, in the transaction of the change. */
export async function auditOperator(
  db: Db,
  now: number,
  orgId: string,
  action: AuditAction,
  object: string,
): Promise<void> {
  await insertAudit(db, {
    id: newId('aud', now),
    org_id: orgId,
    at: now,
    actor: 'operator',
    action,
    object,
    details: '{}',
  });
}
