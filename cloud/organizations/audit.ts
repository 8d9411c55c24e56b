import type { AuditAction, AuditEntry } from '#contract/cloud/organizations.ts';
import { formatTime } from '#contract/time.ts';
import { newId } from '#lib/id.ts';
import type { Caller } from '../access/caller.ts';
import type { Context } from '../access/door.ts';
import { insertAudit } from '../store/organizations.ts';
import type { AuditRow } from '../store/schema.ts';

/** The caller of changes that the operator makes on the server. */
export const operator = { identityId: 'operator' };

type Change = Pick<Context, 'db' | 'now'> & { caller: Pick<Caller, 'identityId' | 'application'> };

/** Adds an entry to the organization's audit log, in the transaction of the change. */
export async function audit(
  { db, now, caller }: Change,
  orgId: string,
  action: AuditAction,
  object: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  await insertAudit(db, {
    id: newId('aud', now),
    org_id: orgId,
    at: now,
    actor: caller.identityId,
    action,
    object,
    details: JSON.stringify({ ...details, ...(caller.application && { application: caller.application.clientId }) }),
  });
}

export const auditEntryOf = ({ id, at, actor, action, object, details }: AuditRow): AuditEntry => ({
  id,
  at: formatTime(at),
  actor,
  action,
  object,
  details: JSON.parse(details),
});
