import * as contract from '#contract/cloud/identity.ts';
import { Problem } from '#contract/problem.ts';
import { formatTime } from '#contract/time.ts';
import { Answer, CachedAnswer } from '#lib/http/mount.ts';
import type { PublicKey } from '#lib/keys/public-key.ts';
import { verifySignature } from '#lib/keys/signature.ts';
import { announceAccess } from '../access/access-version.ts';
import type { Caller } from '../access/caller.ts';
import type { CloudMount, Context } from '../access/door.ts';
import { idOf, pageOf, sliceOf } from '../access/paging.ts';
import type { Db } from '../store/engine.ts';
import { findIdentity, findIdentityByKey, setName } from '../store/identities.ts';
import { cached } from '../store/query-cache.ts';
import type { IdentityRow, SignInRow } from '../store/schema.ts';
import { deleteSignIn, findSignIn, listSignIns } from '../store/sign-ins.ts';
import { revokeToken, useChallenge } from '../store/tokens.ts';
import type { Challenges } from './challenge.ts';
import { describeProgram } from './describe-program.ts';
import type { KeyRing } from './key-ring.ts';
import { identityOf, keyFromBody, register } from './register.ts';
import { endSignInsOf, type Sessions } from './sessions.ts';

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

  mount(contract.verifyChallenge, async ({ body, db, now, headers }) => {
    const key = keyFromBody(body.public_key);
    const identity = await login({ ...body, key }, challenges, db, now);
    const { token, expiresAt } = await sessions.open(identity, {
      db,
      publicKey: key.text,
      description: describeProgram(headers['user-agent']),
    });
    return { token, identity_id: identity.id, token_type: 'Bearer' as const, expires_at: formatTime(expiresAt) };
  });

  mount(contract.revokeToken, async (context) => {
    const { identityId, tokenId, expiresAt } = context.caller;
    await endToken({ identityId, id: tokenId, expires_at: expiresAt }, context);
  });

  mount(contract.getMe, ({ caller, db }) =>
    cached(
      db,
      `identity ${caller.identityId}`,
      async () => new CachedAnswer(200, identityOf((await findIdentity(db, caller.identityId))!)),
    ),
  );

  mount(contract.updateMe, async ({ body, caller, db }) => {
    await setName(db, caller.identityId, body.name);
    return identityOf((await findIdentity(db, caller.identityId))!);
  });

  mount(contract.listSignIns, async ({ query, caller, db, now }) => {
    const rows = await listSignIns(db, sliceOf(query), caller.identityId, now);
    return pageOf('/identity/sign-ins', query, rows, idOf, signInOf(caller));
  });

  mount(contract.endSignIn, async (context) => {
    const { params, caller, db } = context;
    const signIn = await findSignIn(db, caller.identityId, params.sign_in_id);
    if (!signIn) throw new Problem('not_found', 'There is no sign-in with this id.');
    await endToken({ ...signIn, identityId: caller.identityId }, context);
  });

  mount(contract.endAllSignIns, async (context) => {
    const { identityId } = context.caller;
    await endSignInsOf(identityId, context);
    await announceAccess(context, { identityId });
  });

  // Browser applications of any origin verify id_tokens with them.
  mount(contract.getJwks, () => new Answer(200, keys.jwks(), { 'access-control-allow-origin': '*' }));
}

/** Revokes a token; its streams and broker connections end in every process. */
async function endToken(
  { identityId, id, expires_at }: { identityId: string; id: string; expires_at: number },
  context: Context,
): Promise<void> {
  await revokeToken(context.db, { jti: id, expires_at });
  await deleteSignIn(context.db, id);
  await announceAccess(context, { identityId, tokenId: id });
}

const signInOf =
  ({ tokenId }: Caller) =>
  ({ id, description, created_at, used_at, expires_at }: SignInRow): contract.SignIn => ({
    id,
    description,
    created_at: formatTime(created_at),
    used_at: formatTime(used_at),
    expires_at: formatTime(expires_at),
    is_current: id === tokenId,
  });

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
