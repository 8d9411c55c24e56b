import type { AuditAction, AuditEntry } from '#contract/cloud/organizations.ts';
import { formatTime } from '#contract/time.ts';
import { newId } from '#lib/id.ts';
import type { Caller } from '../access/caller.ts';
import type { Context } from '../access/door.ts';
import type { Db } from '../store/engine.ts';
import { findName } from '../store/names.ts';
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
    actor_name: await findName(db, 'identity', caller.identityId),
    action,
    object,
    object_name: (await nameOfObject(db, action, object, details)) ?? nameIn(details),
    details: JSON.stringify({ ...details, ...(await applicationOf(caller, db)) }),
  });
}

async function applicationOf({ application }: Change['caller'], db: Db) {
  if (!application) return undefined;
  const name = await findName(db, 'oauth_client', application.clientId);
  return { application: application.clientId, ...(name !== null && { application_name: name }) };
}

function nameOfObject(db: Db, action: AuditAction, object: string, { der_id }: Record<string, unknown>) {
  return typeof der_id === 'string' ? findName(db, 'der', der_id) : findName(db, action.split('.')[0]!, object);
}

/** Returns the name in the details of an entry, for an object that has just been deleted. */
const nameIn = ({ name }: Record<string, unknown>): string | null => (typeof name === 'string' ? name : null);

export const auditEntryOf = ({ id, at, details, org_id: _, ...row }: AuditRow): AuditEntry => ({
  id,
  at: formatTime(at),
  ...row,
  details: JSON.parse(details),
});
