import {
  getJwks,
  getMe,
  registerIdentity,
  requestChallenge,
  revokeToken,
  verifyChallenge,
} from '#contract/cloud/identity.ts';
import { formatTime } from '#contract/time.ts';
import { Answer } from '#lib/http/mount.ts';
import { announceAccess } from '../access/announce-access.ts';
import type { CloudMount } from '../access/door.ts';
import { revokeToken as revoke } from '../store/tokens.ts';
import type { Challenges } from './challenge.ts';
import { identityOf, keyFromBody } from './identity.ts';
import type { KeyRing } from './key-ring.ts';
import { login } from './login.ts';
import { register } from './register.ts';
import type { Sessions } from './sessions.ts';

export type IdentityDeps = { challenges: Challenges; sessions: Sessions; keys: KeyRing };

export function identityRoutes(mount: CloudMount, { challenges, sessions, keys }: IdentityDeps): void {
  mount(registerIdentity, async ({ body, db, now }) => {
    const { identity, isNew } = await register({ ...body, key: keyFromBody(body.public_key) }, db, now);
    const { name, ...known } = identityOf(identity);
    return isNew ? new Answer(201, { ...known, name }) : new Answer(200, known);
  });

  mount(requestChallenge, ({ body, now }) => {
    const { challenge, expiresAt } = challenges.issue(keyFromBody(body.public_key), now);
    return { challenge, expires_at: formatTime(expiresAt) };
  });

  mount(verifyChallenge, async ({ body, db, now }) => {
    const identity = await login({ ...body, key: keyFromBody(body.public_key) }, challenges, db, now);
    const { token, expiresAt } = await sessions.open(identity);
    return { token, identity_id: identity.id, token_type: 'Bearer' as const, expires_at: formatTime(expiresAt) };
  });

  mount(revokeToken, async (context) => {
    const { identityId, tokenId, expiresAt } = context.caller;
    await revoke(context.db, tokenId, expiresAt);
    await announceAccess(context, { identityId, tokenId });
    return undefined;
  });

  mount(getMe, ({ caller }) => sessions.identityOf(caller));

  // Applications in the browser check id_tokens with them, wherever their page comes from.
  mount(getJwks, () => new Answer(200, keys.jwks(), { 'access-control-allow-origin': '*' }));
}
