import { hash } from 'node:crypto';
import { checkIdempotencyKey, keyReused, replayed } from '#lib/http/idempotency.ts';
import { Answer } from '#lib/http/mount.ts';
import type { Db } from '../store/engine.ts';
import { findAnswer, storeAnswer } from '../store/idempotency.ts';
import { sealOf } from './sealed-answer.ts';

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
