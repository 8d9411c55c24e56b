import { type Access, can, type Need, type ObjectKind, type Role, type Source } from '#contract/access.ts';
import { Problem } from '#contract/problem.ts';
import { findHolding } from '../store/access.ts';
import type { Db } from '../store/engine.ts';
import { type Caller, reaches, roleOf } from './caller.ts';

/** The organization that holds each object a request names, and the role of the caller there. */
export type Held = Partial<Record<ObjectKind, { orgId: string; role: Role }>>;

type Named = { params: unknown; query: unknown; body: unknown };

/** Every object access goes through here. What a caller may not see is not there. */
export async function authorize(access: Access, caller: Caller, named: Named, db: Db): Promise<Held> {
  return hold(needsOf(access, caller), caller, named, db);
}

/** What a caller must hold, once it is known that identities of this type may call at all. */
export function needsOf(access: Access, caller: Caller): readonly Need[] {
  if (typeof access === 'string') return [];
  if (!access.identity.includes(caller.type)) {
    throw new Problem('forbidden', `An identity of type ${caller.type} may not do this.`);
  }
  return access.needs;
}

export async function hold(needs: readonly Need[], caller: Caller, named: Named, db: Db): Promise<Held> {
  const held: Held = {};
  for (const need of needs) {
    const id = valueAt(named, need.from);
    if (id === undefined && need.optional) continue;
    held[need.on] = await holdOne(need, String(id), caller, named, db);
  }
  return held;
}

async function holdOne(
  need: Need,
  id: string,
  caller: Caller,
  named: Named,
  db: Db,
): Promise<{ orgId: string; role: Role }> {
  const holding = await findHolding(db, need.on, id, caller.identityId);
  const role = holding && reaches(caller, holding.org_id) && roleOf(caller, holding.role);
  if (!role) throw new Problem('not_found', `There is no ${need.on} with this id.`);
  const isSelf = need.orSelf !== undefined && valueAt(named, need.orSelf) === caller.identityId;
  if (!can(role, isSelf ? 'read' : need.right)) {
    throw new Problem('forbidden', `The role ${role} does not include the right to ${need.right} this ${need.on}.`);
  }
  return { orgId: holding.org_id, role };
}

function valueAt(named: Named, source: Source): unknown {
  const [part, field] = source.split('.') as [keyof Named, string];
  return (named[part] as Record<string, unknown> | undefined)?.[field];
}
