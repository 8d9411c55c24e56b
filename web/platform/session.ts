import { signal } from '@preact/signals';
import { connect, type Ohmstead } from '#contract/client/connect.ts';
import { keyFromPair } from '#contract/client/key.ts';
import { createClient } from '#contract/client.ts';
import {
  endAllSignIns,
  getMe,
  registerIdentity,
  requestChallenge,
  revokeToken,
  updateMe,
  verifyChallenge,
} from '#contract/cloud/identity.ts';
import { Problem } from '#contract/problem.ts';
import { clockDifference } from '../parts/clock-difference.ts';
import { browserTime, correctTime } from '../parts/now.ts';
import { PageProblem } from '../parts/problem-words.ts';
import { retryPolicy } from '../parts/retry-policy.ts';
import { readStored, store, tabStorage } from '../parts/storage.ts';
import { texts } from '../parts/text.ts';
import { createKeyPair, deleteKey, exportPem, importPem, readKey, type StoredKey, writeKey } from './browser-key.ts';
import { forgetTokens } from './created-tokens.ts';
import { forgetLastValues } from './last-values.ts';
import { noteNoAnswer } from './reach.ts';

const t = texts({
  nobody: 'You are not signed in.',
  noKey: 'This browser has no key to sign in with.',
  savedBefore: 'The key has already been saved and cannot be exported again.',
  otherFile: 'This file contains a different key. Choose the file you saved from this browser.',
  onlyCopy:
    'This browser has another key that has not been saved to a file and would be lost. Sign in with that key and save it, or remove it first.',
});

const demoToken = 'visit'; // kept in session storage, so it ends with the tab

let aheadMs = 0;

/** Fetches, and corrects the page clock by the Date header. */
const fetchAndSyncClock: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init).catch((problem: unknown) => {
    if (!init?.signal?.aborted) noteNoAnswer();
    throw problem;
  });
  if ([502, 504].includes(answer.status)) noteNoAnswer();
  aheadMs = clockDifference(answer.headers.get('date'), browserTime(), aheadMs);
  correctTime(aheadMs);
  return answer;
};

/** Owner of the stored key, while signed out. */
export type KeyOwner = { name: string | undefined; publicKey: string };

export type Session =
  | { state: 'opening' }
  | { state: 'out'; keeper?: KeyOwner; problem?: unknown }
  | {
      state: 'in';
      api: Ohmstead;
      /** public key of the session; a demo session has none */
      publicKey?: string;
      name: string | undefined;
      isBackedUp: boolean;
      /** a demo session has a token but no key */
      isDemo: boolean;
      /** the key has just been registered */
      isNew: boolean;
    };

export const session = signal<Session>({ state: 'opening' });

/** Returns the client of the signed-in person. */
export function api(): Ohmstead {
  const current = session.value;
  if (current.state !== 'in') throw new PageProblem('unauthenticated', t('nobody'));
  return current.api;
}

/** The client before sign-in. */
export const publicApi = createClient({ baseUrl: location.origin });
const signedOutFlag = 'signed-out'; // prevents automatic sign-in after signing out

const register = async (pair: CryptoKeyPair, name?: string): Promise<unknown> =>
  publicApi.call(registerIdentity, { body: { public_key: await publicKeyOf(pair), ...(name && { name }) } });

const connectWith = async (pair: CryptoKeyPair): Promise<Ohmstead> =>
  connect(location.origin, {
    ...retryPolicy,
    key: await keyFromPair(pair),
    register: false,
    fetch: fetchAndSyncClock,
    onEnded: () => void endedElsewhere(),
  });

/** Shows the sign-in page. A browser that was signed out from another one does not sign in again by itself. */
async function endedElsewhere(): Promise<void> {
  if (session.peek().state !== 'in') return;
  store(signedOutFlag, 'yes');
  forgetTokens();
  forgetLastValues();
  session.value = await signedOut(new PageProblem('unauthenticated', t('nobody')));
}

const nameAt = async (platform: Ohmstead): Promise<string | undefined> =>
  (await platform.call(getMe)).name ?? undefined;

async function startSession({ pair, name, isBackedUp }: StoredKey, platform: Ohmstead, isNew: boolean): Promise<void> {
  const publicKey = await publicKeyOf(pair);
  store(signedOutFlag, undefined);
  tabStorage.store(demoToken, undefined);
  session.value = { state: 'in', api: platform, publicKey, name, isBackedUp, isDemo: false, isNew };
}

const publicKeyOf = async (pair: CryptoKeyPair): Promise<string> => (await keyFromPair(pair)).publicKey;

const isSameKey = async (one: CryptoKeyPair, other: CryptoKeyPair): Promise<boolean> =>
  (await publicKeyOf(one)) === (await publicKeyOf(other));

async function readOwnKey(): Promise<StoredKey> {
  const key = await readKey();
  if (!key) throw new PageProblem('unauthenticated', t('noKey'));
  return key;
}

/** Deletes the key only if it is this one; another tab may have replaced it. */
async function deleteKeyOf(publicKey: string): Promise<void> {
  const key = await readKey();
  if (key && (await publicKeyOf(key.pair)) === publicKey) await deleteKey();
}

/** Throws rather than overwriting a key that has no backup. */
export async function checkNoUnsavedKey(pair: CryptoKeyPair): Promise<void> {
  const key = await readKey();
  if (!key || key.isBackedUp) return;
  if (!(await isSameKey(key.pair, pair))) throw new PageProblem('conflict', t('onlyCopy'));
}

async function storeAndSignIn(pair: CryptoKeyPair, isBackedUp: boolean, isNew: boolean): Promise<void> {
  const platform = await connectWith(pair);
  const name = await nameAt(platform);
  forgetLastValues(); // of another person
  const key: StoredKey = { pair, isBackedUp, ...(name && { name }) };
  await writeKey(key);
  await startSession(key, platform, isNew);
}

async function startDemoSession(token: string): Promise<void> {
  const platform = await connect(location.origin, { ...retryPolicy, token, fetch: fetchAndSyncClock });
  tabStorage.store(demoToken, token);
  const name = await nameAt(platform);
  session.value = { state: 'in', api: platform, name, isBackedUp: true, isDemo: true, isNew: false };
}

async function signedOut(problem?: unknown): Promise<Session> {
  const out = { state: 'out', ...(problem !== undefined && { problem }) } as const;
  try {
    const key = await readKey();
    return key ? { ...out, keeper: { name: key.name, publicKey: await publicKeyOf(key.pair) } } : out;
  } catch (unreadable) {
    return { problem: unreadable, ...out };
  }
}

/** Resumes the demo session of this tab, or signs in with the stored key unless the person has signed out. */
export async function resume(): Promise<void> {
  try {
    const token = tabStorage.readStored(demoToken);
    if (token !== undefined) return await startDemoSession(token);
    const key = await readKey();
    if (!key || readStored(signedOutFlag)) session.value = await signedOut();
    else await startSession(key, await connectWith(key.pair), false);
  } catch (problem) {
    if (isEnded(problem)) tabStorage.store(demoToken, undefined); // the demo token has expired
    if (problem instanceof Problem && problem.code === 'identity_unknown') forgetLastValues(); // this browser was removed
    session.value = await signedOut(problem);
  }
}

/** Signs in with the stored key; `registering` registers it first. */
export async function signInWithStoredKey({ registering }: { registering: boolean }): Promise<void> {
  const key = await readOwnKey();
  if (registering) await register(key.pair, key.name);
  await startSession(key, await connectWith(key.pair), registering);
}

/** Deletes the stored key while signed out. */
export async function removeStoredKey({ publicKey }: KeyOwner): Promise<void> {
  await deleteKeyOf(publicKey);
  store(signedOutFlag, undefined);
  session.value = await signedOut();
}

/** Creates a key, registers it and signs in. */
export async function signUp(name: string): Promise<void> {
  const pair = await createKeyPair({ isExtractable: true });
  await checkNoUnsavedKey(pair);
  await register(pair, name);
  await storeAndSignIn(pair, false, true);
}

/** Signs in with a key file and registers a key that the platform does not know. */
export async function signInWith(pem: string): Promise<{ isNew: boolean }> {
  const pair = await importPem(pem);
  await checkNoUnsavedKey(pair);
  try {
    await storeAndSignIn(pair, true, false);
    return { isNew: false };
  } catch (problem) {
    if (!(problem instanceof Problem && problem.code === 'identity_unknown')) throw problem;
  }
  await register(pair);
  await storeAndSignIn(pair, true, true);
  return { isNew: true };
}

/** Signs in with a key that another browser of the account has confirmed. */
export const signInAsAdded = (pair: CryptoKeyPair): Promise<void> => storeAndSignIn(pair, true, false);

/** Signs a text with the stored key. */
export const signWithKey = async (text: string): Promise<string> =>
  (await keyFromPair((await readOwnKey()).pair)).sign(text);

async function visitDemo(): Promise<{ token: string; expires_at: string }> {
  const { visitSimulation } = await import('#contract/simulation.ts'); // few people need it
  return publicApi.call(visitSimulation);
}

/** Signs in as the owner of the demo home. */
export async function openDemo(): Promise<void> {
  const { token } = await visitDemo();
  forgetLastValues(); // of another person
  await startDemoSession(token);
}

/** Returns the key as PEM, for the backup file. */
export async function exportKey(): Promise<string> {
  const key = await readKey();
  if (!key || key.isBackedUp) throw new PageProblem('conflict', t('savedBefore'));
  return exportPem(key.pair);
}

/** Checks the backup file and stores the key as non-extractable. */
export async function confirmBackup(pem: string): Promise<void> {
  const key = await readOwnKey();
  const pair = await importPem(pem);
  if (!(await isSameKey(key.pair, pair))) throw new PageProblem('conflict', t('otherFile'));
  await writeKey({ ...key, pair, isBackedUp: true });
  const current = session.peek();
  if (current.state === 'in') session.value = { ...current, isBackedUp: true, isNew: false };
}

/** Revokes the token in every tab that uses the key; `forgetting` also deletes the key. */
export async function signOut({ forgetting }: { forgetting: boolean }): Promise<void> {
  const current = session.peek();
  if (current.state !== 'in') return;
  if (current.publicKey !== undefined) {
    store(signedOutFlag, forgetting ? undefined : 'yes');
    if (forgetting) await deleteKeyOf(current.publicKey);
    otherTabs.postMessage(current.publicKey);
  }
  await endSession(current.api);
}

async function endSession(platform: Ohmstead): Promise<void> {
  tabStorage.store(demoToken, undefined);
  forgetTokens();
  forgetLastValues();
  session.value = await signedOut();
  await platform.call(revokeToken).catch((problem: unknown) => {
    if (!isEnded(problem)) throw problem;
  });
}

const isEnded = (problem: unknown): boolean => problem instanceof Problem && problem.code === 'unauthenticated';

/** Ends every sign-in of the person; this browser keeps its key. */
export async function signOutEverywhere(): Promise<void> {
  await api().call(endAllSignIns);
  await signOut({ forgetting: false });
}

// A platform that was not reached answers again.
addEventListener('online', () => {
  const current = session.peek();
  const isUnanswered =
    current.state === 'out' && current.problem instanceof Problem && current.problem.code === 'unavailable';
  if (isUnanswered) void resume();
});

const otherTabs = new BroadcastChannel('signed-out');
otherTabs.addEventListener('message', ({ data: publicKey }) => {
  const current = session.peek();
  if (current.state === 'in' && current.publicKey === publicKey) void endSession(current.api);
});

/** Changes the name, here and on the platform. */
export async function rename(name: string): Promise<void> {
  const answer = await api().call(updateMe, { body: { name: name || null } });
  const key = await readKey();
  const current = session.peek();
  if (current.state !== 'in') return;
  if (key && (await publicKeyOf(key.pair)) === current.publicKey) {
    const { pair, isBackedUp } = key;
    await writeKey({ pair, isBackedUp, ...(answer.name !== null && { name: answer.name }) });
  }
  session.value = { ...current, name: answer.name ?? undefined };
}

/** Creates a second token, for scripts. */
export async function createToken(): Promise<{ token: string; expires_at: string }> {
  const current = session.peek();
  if (current.state === 'in' && current.isDemo) return visitDemo();
  const key = await keyFromPair((await readOwnKey()).pair);
  const public_key = key.publicKey;
  const { challenge } = await publicApi.call(requestChallenge, { body: { public_key } });
  return publicApi.call(verifyChallenge, { body: { public_key, challenge, signature: await key.sign(challenge) } });
}
