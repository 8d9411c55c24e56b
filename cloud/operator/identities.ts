import { Check } from 'typebox/value';
import type { IdentityType } from '#contract/access.ts';
import { Problem } from '#contract/problem.ts';
import { Name } from '#contract/schema.ts';
import type { PublicKey } from '#lib/keys/public-key.ts';
import { announceAccess } from '../access/access-version.ts';
import { algorithmOf, enrol } from '../identity/register.ts';
import { audit, operator } from '../organizations/audit.ts';
import { findIdentity, setDisabled } from '../store/identities.ts';
import { listOrganizationIdsOf } from '../store/organizations.ts';
import type { IdentityRow } from '../store/schema.ts';
import type { CommonDeps } from '../store/store.ts';

export type OperatorDeps = Pick<CommonDeps, 'store' | 'clock'>;

export type NewIdentity = { key: PublicKey; type: IdentityType; name: string | undefined };

export async function createIdentity(
  { key, type, name }: NewIdentity,
  { store, clock }: OperatorDeps,
): Promise<{ identity: IdentityRow; isNew: boolean }> {
  if (algorithmOf[type] !== key.algorithm) {
    const sentence = `An identity of type ${type} needs an ${algorithmOf[type]} key; this one is ${key.algorithm}.`;
    throw new Problem('unprocessable', sentence);
  }
  if (name !== undefined && !Check(Name, name)) {
    throw new Problem('invalid_request', 'A name is 1 to 128 characters, not blank, no control characters.');
  }
  return store.write(({ db }) => enrol({ key, type, name }, db, clock.now()));
}

/** Revokes the tokens of an identity and prevents it from signing in. */
export const disableIdentity = (id: string, deps: OperatorDeps): Promise<IdentityRow> => setEnabled(id, false, deps);

export const enableIdentity = (id: string, deps: OperatorDeps): Promise<IdentityRow> => setEnabled(id, true, deps);

const setEnabled = (id: string, enabled: boolean, { store, clock }: OperatorDeps): Promise<IdentityRow> =>
  store.write(async (write) => {
    const { db } = write;
    const identity = await findIdentity(db, id);
    if (!identity) throw new Problem('not_found', `There is no identity ${id}.`);
    if ((identity.disabled_at === null) === enabled) return identity;

    const now = clock.now();
    const disabledAt = enabled ? null : now;
    await setDisabled(db, id, disabledAt);
    await announceAccess(write, { identityId: id });
    for (const orgId of await listOrganizationIdsOf(db, id, '')) {
      await audit({ db, now, caller: operator }, orgId, enabled ? 'identity.enabled' : 'identity.disabled', id);
    }
    return { ...identity, disabled_at: disabledAt };
  });
