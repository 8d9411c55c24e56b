import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto';
import { checkIdempotencyKey, keyReused, replayed } from '#lib/http/idempotency.ts';
import { Answer } from '#lib/http/mount.ts';
import type { Db } from '../store/engine.ts';
import { findAnswer, storeAnswer } from '../store/idempotency.ts';

export type Repeatable = { key: string; caller: string; request: string };

/**
 * Answers a retry within 24 hours like the first request. The answer is stored in the transaction of its effect. It may
 * contain a secret that is stored nowhere else, so it is encrypted with the idempotency key, which is not stored.
 */
export async function once(repeatable: Repeatable, db: Db, now: number, act: () => unknown): Promise<unknown> {
  const { key, caller, request } = repeatable;
  checkIdempotencyKey(key);
  const requestHash = hash('sha256', request, 'base64url');
  const seal = sealOf(key, caller);
  const known = await findAnswer(db, caller, seal.name);
  if (known && known.request_hash !== requestHash) throw keyReused();
  if (known) return replayed(known.status, JSON.parse(seal.open(known.body)));

  const result = await act();
  const { status, body } = result instanceof Answer ? result : new Answer(201, result);
  const sealed = seal.close(JSON.stringify(body));
  await storeAnswer(db, { caller, key: seal.name, request_hash: requestHash, status, body: sealed, created_at: now });
  return result;
}

/** Encrypts stored answers: only a caller with the idempotency key can find and read them. */
type Seal = {
  /** the id under which the answer is stored */
  name: string;
  close(text: string): string;
  open(sealed: string): string;
};

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** Derives the id and the encryption key from the idempotency key; neither reveals the other. */
function sealOf(key: string, caller: string): Seal {
  const derived = Buffer.from(hkdfSync('sha256', key, caller, 'idempotency', 64));
  const [name, secret] = [derived.subarray(0, 32), derived.subarray(32)];
  return {
    name: name.toString('base64url'),

    close(text) {
      const iv = randomBytes(ivBytes);
      const sealing = createCipheriv(cipher, secret, iv, { authTagLength: tagBytes });
      const hidden = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
      return Buffer.concat([iv, sealing.getAuthTag(), hidden]).toString('base64url');
    },

    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      const opening = createDecipheriv(cipher, secret, bytes.subarray(0, ivBytes), { authTagLength: tagBytes });
      opening.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([opening.update(bytes.subarray(ivBytes + tagBytes)), opening.final()]).toString('utf8');
    },
  };
}
