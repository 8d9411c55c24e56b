import type { Identity } from '#contract/cloud/identity.ts';
import { fieldProblem } from '#contract/problem.ts';
import { formatTime } from '#contract/time.ts';
import { KeyError, type PublicKey, parsePublicKey } from '#lib/keys/public-key.ts';
import type { IdentityRow } from '../store/schema.ts';

/** As the wire shows it. */
export const identityOf = ({ id, public_key, type, name, created_at }: IdentityRow): Identity => ({
  identity_id: id,
  public_key,
  type,
  name,
  created_at: formatTime(created_at),
});

/** The key in a request's body, or the reason it is none. */
export function keyFromBody(text: string): PublicKey {
  try {
    return parsePublicKey(text);
  } catch (error) {
    if (error instanceof KeyError)
      throw fieldProblem('invalid_request', 'body.public_key', error.message, { cause: error });
    throw error;
  }
}
