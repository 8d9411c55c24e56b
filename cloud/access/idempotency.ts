import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto';
import { checkIdempotencyKey, keyReused, replayed } from '#lib/http/idempotency.ts';
import { Answer } from '#lib/http/mount.ts';
import type { Db } from '../store/engine.ts';
import { findAnswer, storeAnswer } from '../store/idempotency.ts';

export type Repeatable = { key: string; caller: string; request: string };

/**
 * The retry of a request that was answered is answered alike, for 24 hours; in the transaction of its effect. An answer may
 * hold a secret that is kept nowhere else, so it is kept sealed with the key, which is not kept.
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
  const sealed = { request_hash: requestHash, status, body: seal.close(JSON.stringify(body)) };
  await storeAnswer(db, caller, seal.name, sealed, now);
  return result;
}

/** What is kept of an answer: only whoever has the key that it was asked with can read it, or tell whose it is. */
type Seal = {
  /** under which it is kept */
  name: string;
  close(text: string): string;
  open(sealed: string): string;
};

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** Both what it is called and what it is sealed with come from the key, and neither tells the other. */
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
