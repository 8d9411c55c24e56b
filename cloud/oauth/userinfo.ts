import type { Sessions } from '../identity/sessions.ts';

type Person = { id: string; name: string | null };

export const claimsOf = ({ id, name }: Person) => ({ sub: id, name, login: id, email: null });

// Those of applications have no dots.
const ownToken = /^Bearer +[^.]+\.[^.]+\.[^.]+$/i;

/** A person who asks with a token of their own; undefined when it is an application that asks. */
export async function ownUserinfo(authorization: string | undefined, sessions: Sessions) {
  if (authorization === undefined || !ownToken.test(authorization)) return undefined;
  const { identity_id, name } = sessions.identityOf(await sessions.authenticate(authorization));
  return claimsOf({ id: identity_id, name });
}
