import { Problem } from '#contract/problem.ts';
import type { PublicKey } from '#lib/keys/public-key.ts';
import { verifySignature } from '#lib/keys/signature.ts';
import type { Db } from '../store/engine.ts';
import { findIdentityByKey } from '../store/identities.ts';
import type { IdentityRow } from '../store/schema.ts';
import { useChallenge } from '../store/tokens.ts';
import type { Challenges } from './challenge.ts';

type SignedChallenge = { key: PublicKey; challenge: string; signature: string };

/** Who signed the challenge. A good signature uses it up. */
export async function login(
  { key, challenge, signature }: SignedChallenge,
  challenges: Challenges,
  db: Db,
  now: number,
): Promise<IdentityRow> {
  const issued = challenges.check(challenge, key, now);
  if (!issued)
    throw new Problem('challenge_invalid', 'The challenge is not ours, not for this key, or over; ask for a new one.');
  if (!verifySignature(key, challenge, signature)) {
    throw new Problem(
      'signature_invalid',
      'The signature is not one of this key over the challenge exactly as received.',
    );
  }
  if (!(await useChallenge(db, issued.id, issued.expiresAt))) {
    throw new Problem('challenge_invalid', 'The challenge was used before; ask for a new one.');
  }
  const identity = await findIdentityByKey(db, key.text);
  if (!identity)
    throw new Problem(
      'identity_unknown',
      'This key is not registered; register it first with POST /identity/register.',
    );
  if (identity.disabled_at !== null) throw new Problem('forbidden', 'This identity was disabled by the operator.');
  return identity;
}
