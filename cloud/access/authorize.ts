import {
  type Access,
  can,
  type ObjectKind,
  type RequestField,
  type RequiredRight,
  type Role,
} from '#contract/access.ts';
import { Problem } from '#contract/problem.ts';
import { isObject } from '#lib/json.ts';
import { findObjectAccess, type ObjectAccess } from '../store/access.ts';
import type { Db } from '../store/engine.ts';
import { type Caller, reaches, roleOf } from './caller.ts';

/** The organization of each object that a request names, and the caller's role there. */
export type Held = Partial<Record<ObjectKind, { orgId: string; role: Role }>>;

type Named = { params: unknown; query: unknown; body: unknown };

/** Checks the access rule of a route. Throws if the caller may not call it. */
export async function authorize(access: Access, caller: Caller, named: Named, db: Db): Promise<Held> {
  if (typeof access === 'string') return {};
  if (!access.identity.includes(caller.type)) {
    throw new Problem('forbidden', `An identity of type ${caller.type} may not do this.`);
  }
  return hold(access.needs, caller, named, db);
}

/** Checks access to objects. An object that the caller may not see is reported as not found. */
export async function hold(needs: readonly RequiredRight[], caller: Caller, named: Named, db: Db): Promise<Held> {
  const held: Held = {};
  for (const need of needs) {
    const id = valueAt(named, need.from);
    if (need.filter && !id) continue;
    const access = await findObjectAccess(db, need.on, String(id), caller.identityId);
    if (need.filter && !(access && roleOn(access, caller))) continue;
    held[need.on] = heldBy(access, need, caller, named);
  }
  return held;
}

const roleOn = (holding: ObjectAccess, caller: Caller): Role | null =>
  reaches(caller, holding.org_id) ? roleOf(caller.type, holding.role) : null;

function heldBy(
  holding: ObjectAccess | undefined,
  need: RequiredRight,
  caller: Caller,
  named: Named,
): { orgId: string; role: Role } {
  const role = holding && roleOn(holding, caller);
  if (!role) throw new Problem('not_found', `There is no ${need.on} with this id.`);
  const isSelf = need.orSelf !== undefined && valueAt(named, need.orSelf) === caller.identityId;
  if (!can(role, isSelf ? 'read' : need.right)) {
    throw new Problem('forbidden', `The role ${role} does not include the right to ${need.right} this ${need.on}.`);
  }
  return { orgId: holding.org_id, role };
}

function valueAt(named: Named, source: RequestField): unknown {
  const [part, field = ''] = source.split('.');
  const values = part === 'params' ? named.params : part === 'query' ? named.query : named.body;
  return isObject(values) ? values[field] : undefined;
}
