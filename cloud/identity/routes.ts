import * as contract from '#contract/cloud/identity.ts';
import { Problem } from '#contract/problem.ts';
import { formatTime } from '#contract/time.ts';
import { Answer } from '#lib/http/mount.ts';
import type { PublicKey } from '#lib/keys/public-key.ts';
import { verifySignature } from '#lib/keys/signature.ts';
import { announceAccess } from '../access/access-version.ts';
import type { CloudMount } from '../access/door.ts';
import type { Db } from '../store/engine.ts';
import { findIdentityByKey } from '../store/identities.ts';
import type { IdentityRow } from '../store/schema.ts';
import { revokeToken, useChallenge } from '../store/tokens.ts';
import type { Challenges } from './challenge.ts';
import type { KeyRing } from './key-ring.ts';
import { identityOf, keyFromBody, register } from './register.ts';
import type { Sessions } from './sessions.ts';

export type IdentityDeps = { challenges: Challenges; sessions: Sessions; keys: KeyRing };

export function identityRoutes(mount: CloudMount, { challenges, sessions, keys }: IdentityDeps): void {
  mount(contract.registerIdentity, async ({ body, db, now }) => {
    const { identity, isNew } = await register({ ...body, key: keyFromBody(body.public_key) }, db, now);
    const { name, ...known } = identityOf(identity);
    return isNew ? new Answer(201, { ...known, name }) : new Answer(200, known);
  });

  mount(contract.requestChallenge, ({ body, now }) => {
    const { challenge, expiresAt } = challenges.issue(keyFromBody(body.public_key), now);
    return { challenge, expires_at: formatTime(expiresAt) };
  });

  mount(contract.verifyChallenge, async ({ body, db, now }) => {
    const identity = await login({ ...body, key: keyFromBody(body.public_key) }, challenges, db, now);
    const { token, expiresAt } = await sessions.open(identity);
    return { token, identity_id: identity.id, token_type: 'Bearer' as const, expires_at: formatTime(expiresAt) };
  });

  mount(contract.revokeToken, async (context) => {
    const { identityId, tokenId, expiresAt } = context.caller;
    await revokeToken(context.db, { jti: tokenId, expires_at: expiresAt });
    await announceAccess(context, { identityId, tokenId });
  });

  mount(contract.getMe, ({ caller }) => sessions.identityOf(caller));

  // Browser applications of any origin verify id_tokens with them.
  mount(contract.getJwks, () => new Answer(200, keys.jwks(), { 'access-control-allow-origin': '*' }));
}

type SignedChallenge = { key: PublicKey; challenge: string; signature: string };

/** Returns the identity that signed the challenge. A valid signature consumes the challenge. */
async function login(
  { key, challenge, signature }: SignedChallenge,
  challenges: Challenges,
  db: Db,
  now: number,
): Promise<IdentityRow> {
  const issued = challenges.check(challenge, key, now);
  if (!issued)
    throw new Problem('challenge_invalid', 'The challenge is unknown, for another key, or expired; request a new one.');
  if (!verifySignature(key, challenge, signature)) {
    throw new Problem(
      'signature_invalid',
      'The signature does not match this key and the challenge exactly as received.',
    );
  }
  if (!(await useChallenge(db, { id: issued.id, expires_at: issued.expiresAt }))) {
    throw new Problem('challenge_invalid', 'The challenge was used before; request a new one.');
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
