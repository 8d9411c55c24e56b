import type { IdentityType } from '#contract/access.ts';
import type { Identity } from '#contract/cloud/identity.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import { formatTime } from '#contract/time.ts';
import { newId } from '#lib/id.ts';
import { KeyError, type PublicKey, parsePublicKey } from '#lib/keys/public-key.ts';
import type { Db } from '../store/engine.ts';
import { findIdentityByKey, insertIdentity } from '../store/identities.ts';
import type { IdentityRow } from '../store/schema.ts';

export const algorithmOf: Record<IdentityType, PublicKey['algorithm']> = {
  root: 'Ed25519',
  admin: 'Ed25519',
  user: 'Ed25519',
  developer: 'Ed25519',
  gateway: 'ES256',
  device: 'ES256',
  integration: 'ES256',
  internal: 'ES256',
};

const selfService: readonly IdentityType[] = ['user', 'developer', 'gateway', 'device', 'integration'];

type Registration = { key: PublicKey; type?: IdentityType | undefined; name?: string | null | undefined };

/** Registers an identity for its own key. A known key without a type keeps its type. */
export async function register(
  registration: Registration,
  db: Db,
  now: number,
): Promise<{ identity: IdentityRow; isNew: boolean }> {
  const known = registration.type === undefined && (await findIdentityByKey(db, registration.key.text));
  if (known) return { identity: known, isNew: false };
  const type = registration.type ?? defaultType(registration.key);
  if (!selfService.includes(type)) {
    throw new Problem(
      'identity_type_reserved',
      `Identities of type ${type} are created by the operator on the server.`,
    );
  }
  return enrol({ ...registration, type }, db, now);
}

export async function enrol(
  { key, type, name }: Registration & { type: IdentityType },
  db: Db,
  now: number,
): Promise<{ identity: IdentityRow; isNew: boolean }> {
  if (algorithmOf[type] !== key.algorithm) {
    throw fieldProblem(
      'unprocessable',
      'body.type',
      `${type} needs an ${algorithmOf[type]} key, this one is ${key.algorithm}`,
    );
  }
  const known = await findIdentityByKey(db, key.text);
  if (known && known.type !== type) throw new Problem('conflict', `This key is registered as ${known.type}.`);
  if (known) return { identity: known, isNew: false };

  const identity: IdentityRow = {
    id: newId('idt', now),
    public_key: key.text,
    type,
    name: name ?? null,
    created_at: now,
    disabled_at: null,
    signed_out_at: null,
  };
  await insertIdentity(db, identity);
  return { identity, isNew: true };
}

function defaultType(key: PublicKey): IdentityType {
  if (key.algorithm === 'Ed25519') return 'user';
  const types = selfService.filter((type) => algorithmOf[type] === key.algorithm);
  throw fieldProblem('unprocessable', 'body.type', `is needed for a P-256 key: ${types.join(', ')}`);
}

export const identityOf = ({ id, public_key, type, name, created_at }: IdentityRow): Identity => ({
  identity_id: id,
  public_key,
  type,
  name,
  created_at: formatTime(created_at),
});

export function keyFromBody(text: string): PublicKey {
  try {
    return parsePublicKey(text);
  } catch (error) {
    if (error instanceof KeyError)
      throw fieldProblem('invalid_request', 'body.public_key', error.message, { cause: error });
    throw error;
  }
}
