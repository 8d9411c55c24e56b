import { signal } from '@preact/signals';
import { connect, type Ohmstead } from '#contract/client/connect.ts';
import { keyFromPair } from '#contract/client/key.ts';
import { revokeToken } from '#contract/cloud/identity.ts';
import { Problem } from '#contract/problem.ts';
import { newPair, pairOf, pemOf } from './key-pair.ts';
import { forgetKey, type KeptKey, readKey, writeKey } from './key-store.ts';

export type Session =
  | { state: 'opening' }
  | { state: 'out'; problem?: unknown }
  | { state: 'in'; api: Ohmstead; isBackedUp: boolean };

export const session = signal<Session>({ state: 'opening' });

/** The platform, as the person who is signed in. */
export function api(): Ohmstead {
  const current = session.value;
  if (current.state !== 'in') throw new Problem('unauthenticated', 'Nobody is signed in.');
  return current.api;
}

async function enter({ pair, isBackedUp }: KeptKey, options: { name?: string; register: boolean }): Promise<void> {
  const key = await keyFromPair(pair);
  session.value = { state: 'in', api: await connect(location.origin, { key, ...options }), isBackedUp };
}

/** Signs in with the key that this browser holds, if it holds one. */
export async function resume(): Promise<void> {
  try {
    const kept = await readKey();
    if (!kept) session.value = { state: 'out' };
    else await enter(kept, { register: false });
  } catch (problem) {
    session.value = { state: 'out', problem };
  }
}

/** Makes a key, registers it and signs in. */
export async function signUp(name: string): Promise<void> {
  const kept = { pair: await newPair(), isBackedUp: false };
  await enter(kept, { ...(name && { name }), register: true });
  await writeKey(kept);
}

/** Signs in with a key file, which stays the backup. */
export async function signInWith(pem: string): Promise<void> {
  const kept = { pair: await pairOf(pem), isBackedUp: true };
  await enter(kept, { register: true });
  await writeKey(kept);
}

/** The key as text, for a file. */
export async function backupText(): Promise<string> {
  const kept = await readKey();
  if (!kept || kept.isBackedUp) throw new Problem('conflict', 'The key was saved before, and cannot be read again.');
  return pemOf(kept.pair);
}

/** From now on the browser uses the key without being able to tell it. */
export async function sealKey(pem: string): Promise<void> {
  await writeKey({ pair: await pairOf(pem), isBackedUp: true });
  const current = session.peek();
  if (current.state === 'in') session.value = { ...current, isBackedUp: true };
}

/** Ends the token; with `forgetting` the browser forgets the key too. */
export async function signOut({ forgetting }: { forgetting: boolean }): Promise<void> {
  const current = session.peek();
  if (forgetting) await forgetKey();
  session.value = { state: 'out' };
  if (current.state === 'in') await current.api.call(revokeToken);
}

/** A token beside that of the page, for a script. */
export async function anotherToken(): Promise<{ token: string; expiresAt: string }> {
  const kept = await readKey();
  if (!kept) throw new Problem('unauthenticated', 'This browser holds no key to sign with.');
  let made: { token: string; expiresAt: string } | undefined;
  const onToken = (token: string, expiresAt: string): void => {
    made = { token, expiresAt };
  };
  await connect(location.origin, { key: await keyFromPair(kept.pair), register: false, onToken });
  if (!made) throw new Problem('unavailable', 'The platform gave no token.');
  return made;
}
