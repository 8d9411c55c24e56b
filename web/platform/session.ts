import { signal } from '@preact/signals';
import { connect, type Ohmstead } from '#contract/client/connect.ts';
import { keyFromPair } from '#contract/client/key.ts';
import { createClient } from '#contract/client.ts';
import { getMe, registerIdentity, revokeToken } from '#contract/cloud/identity.ts';
import { Problem } from '#contract/problem.ts';
import { visitSimulation } from '#contract/simulation.ts';
import { clockDifference } from '../parts/clock-difference.ts';
import { browserTime, correctTime } from '../parts/now.ts';
import { PageProblem } from '../parts/problem-words.ts';
import { retryPolicy } from '../parts/retry-policy.ts';
import { readStored, store, tabStorage } from '../parts/storage.ts';
import { texts } from '../parts/text.ts';
import { forgetKey, type KeptKey, newPair, pairOf, pemOf, readKey, writeKey } from './browser-key.ts';
import { forgetTokens } from './made-tokens.ts';

// The token of a visit lives as long as the tab: whoever looks around leaves nothing behind.
const name = 'visit';

const keptVisit = (): string | undefined => tabStorage.readStored(name);

const keepVisit = (token: string | undefined): void => tabStorage.store(name, token);

let aheadMs = 0;

/** Asks the platform, and sets the clock of the pages by its answer. */
const fetchAndHearTime: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init);
  aheadMs = clockDifference(answer.headers.get('date'), browserTime(), aheadMs);
  correctTime(aheadMs);
  return answer;
};

const t = texts({
  en: {
    nobody: 'Nobody is signed in.',
    noKey: 'This browser holds no key to sign with.',
    savedBefore: 'The key was saved before, and cannot be read again.',
    otherFile: 'This file holds another key than this browser; choose the one that was saved here.',
    noToken: 'The platform gave no token; try again.',
    onlyCopy:
      'This browser keeps another key that was never saved as a file, and would lose it. Go on with that key and save it, or forget it first.',
  },
  sv: {
    nobody: 'Ingen är inloggad.',
    noKey: 'Webbläsaren har ingen nyckel att skriva under med.',
    savedBefore: 'Nyckeln har sparats förut och kan inte läsas ut igen.',
    otherFile: 'Filen innehåller en annan nyckel än webbläsaren; välj den som sparades här.',
    noToken: 'Plattformen gav ingen token; försök igen.',
    onlyCopy:
      'Webbläsaren har en annan nyckel som aldrig har sparats som fil, och skulle förlora den. Fortsätt med den nyckeln och spara den, eller glöm den först.',
  },
});

/** Whose key this browser keeps, while they are not signed in. */
export type Keeper = { name: string | undefined; publicKey: string };

export type Session =
  | { state: 'opening' }
  | { state: 'out'; keeper?: Keeper; problem?: unknown }
  | {
      state: 'in';
      api: Ohmstead;
      /** of the key that this page signs with; a visitor has none */
      publicKey?: string;
      name: string | undefined;
      isBackedUp: boolean;
      /** a look around with a token alone: no key, nothing to store */
      isVisit: boolean;
      /** the platform met this key for the first time */
      isNew: boolean;
    };

export const session = signal<Session>({ state: 'opening' });

/** The platform, as the person who is signed in. */
export function api(): Ohmstead {
  const current = session.value;
  if (current.state !== 'in') throw new PageProblem('unauthenticated', t('nobody'));
  return current.api;
}

const anyone = createClient({ baseUrl: location.origin });
const leftBy = 'signed-out'; // whoever signed out is not signed in again by the next look at the page

const register = async (pair: CryptoKeyPair, name?: string): Promise<void> => {
  const { publicKey } = await keyFromPair(pair);
  await anyone.call(registerIdentity, { body: { public_key: publicKey, ...(name && { name }) } });
};

const reach = async (pair: CryptoKeyPair): Promise<Ohmstead> =>
  connect(location.origin, { ...retryPolicy, key: await keyFromPair(pair), register: false, fetch: fetchAndHearTime });

const nameAt = async (platform: Ohmstead): Promise<string | undefined> =>
  (await platform.call(getMe)).name ?? undefined;

async function enter({ pair, name, isBackedUp }: KeptKey, platform: Ohmstead, isNew: boolean): Promise<void> {
  const publicKey = await publicKeyOf(pair);
  store(leftBy, undefined);
  keepVisit(undefined);
  session.value = { state: 'in', api: platform, publicKey, name, isBackedUp, isVisit: false, isNew };
}

const publicKeyOf = async (pair: CryptoKeyPair): Promise<string> => (await keyFromPair(pair)).publicKey;

const isSame = async (one: CryptoKeyPair, other: CryptoKeyPair): Promise<boolean> =>
  (await publicKeyOf(one)) === (await publicKeyOf(other));

/** Another tab may have put somebody else's key in its place since. */
async function forgetKeyOf(publicKey: string): Promise<void> {
  const key = await readKey();
  if (key && (await publicKeyOf(key.pair)) === publicKey) await forgetKey();
}

/** A key that is nowhere else is not written over. */
async function checkNothingLost(pair: CryptoKeyPair): Promise<void> {
  const key = await readKey();
  if (!key || key.isBackedUp) return;
  if (!(await isSame(key.pair, pair))) throw new PageProblem('conflict', t('onlyCopy'));
}

async function keepAndEnter(pair: CryptoKeyPair, isBackedUp: boolean, isNew: boolean): Promise<void> {
  const platform = await reach(pair);
  const name = await nameAt(platform);
  const key: KeptKey = { pair, isBackedUp, ...(name && { name }) };
  await writeKey(key);
  await enter(key, platform, isNew);
}

async function enterAsVisitor(token: string): Promise<void> {
  const platform = await connect(location.origin, { ...retryPolicy, token, fetch: fetchAndHearTime });
  keepVisit(token);
  const name = await nameAt(platform);
  session.value = { state: 'in', api: platform, name, isBackedUp: true, isVisit: true, isNew: false };
}

async function outside(problem?: unknown): Promise<Session> {
  const out = { state: 'out', ...(problem !== undefined && { problem }) } as const;
  try {
    const key = await readKey();
    return key ? { ...out, keeper: { name: key.name, publicKey: await publicKeyOf(key.pair) } } : out;
  } catch (unreadable) {
    return { problem: unreadable, ...out };
  }
}

/** Goes on as whoever was here: the visitor of this tab, or the holder of the key who has not signed out. */
export async function resume(): Promise<void> {
  try {
    const token = keptVisit();
    if (token !== undefined) return await enterAsVisitor(token);
    const key = await readKey();
    if (!key || readStored(leftBy)) session.value = await outside();
    else await enter(key, await reach(key.pair), false);
  } catch (problem) {
    if (problem instanceof Problem && problem.code === 'unauthenticated') keepVisit(undefined); // the visit is over
    session.value = await outside(problem);
  }
}

/** Signs in with the key that this browser keeps; `registering` it where the platform has never met it, or has lost it. */
export async function goOn({ registering }: { registering: boolean }): Promise<void> {
  const key = await readKey();
  if (!key) throw new PageProblem('unauthenticated', t('noKey'));
  if (registering) await register(key.pair, key.name);
  await enter(key, await reach(key.pair), registering);
}

/** Forgets the readStored key of somebody who is not signed in. */
export async function forgetKept({ publicKey }: Keeper): Promise<void> {
  await forgetKeyOf(publicKey);
  store(leftBy, undefined);
  session.value = await outside();
}

/** Makes a key, registers it and signs in. */
export async function signUp(name: string): Promise<void> {
  const pair = await newPair();
  await checkNothingLost(pair);
  await register(pair, name);
  await keepAndEnter(pair, false, true);
}

/** Signs in with a key file, which stays the backup; a key that nobody knows is registered. */
export async function signInWith(pem: string): Promise<{ isNew: boolean }> {
  const pair = await pairOf(pem);
  await checkNothingLost(pair);
  try {
    await keepAndEnter(pair, true, false);
    return { isNew: false };
  } catch (problem) {
    if (!(problem instanceof Problem && problem.code === 'identity_unknown')) throw problem;
  }
  await register(pair);
  await keepAndEnter(pair, true, true);
  return { isNew: true };
}

/** Looks around as the owner of the simulated home. */
export async function visit(): Promise<void> {
  const { token } = await anyone.call(visitSimulation);
  await enterAsVisitor(token);
}

/** The key as text, for a file. */
export async function backupText(): Promise<string> {
  const key = await readKey();
  if (!key || key.isBackedUp) throw new PageProblem('conflict', t('savedBefore'));
  return pemOf(key.pair);
}

/** The person has the file of the key: from now on the browser uses it without being able to tell it. */
export async function sealKey(pem: string): Promise<void> {
  const key = await readKey();
  if (!key) throw new PageProblem('unauthenticated', t('noKey'));
  const pair = await pairOf(pem);
  if (!(await isSame(key.pair, pair))) throw new PageProblem('conflict', t('otherFile'));
  await writeKey({ ...key, pair, isBackedUp: true });
  const current = session.peek();
  if (current.state === 'in') session.value = { ...current, isBackedUp: true, isNew: false };
}

/** Ends the token, in every tab that uses the key; with `forgetting` the browser forgets the key too. */
export async function signOut({ forgetting }: { forgetting: boolean }): Promise<void> {
  const current = session.peek();
  if (current.state !== 'in') return;
  if (current.publicKey !== undefined) {
    store(leftBy, forgetting ? undefined : 'yes');
    if (forgetting) await forgetKeyOf(current.publicKey);
    otherTabs.postMessage(current.publicKey);
  }
  await leave(current.api);
}

async function leave(platform: Ohmstead): Promise<void> {
  keepVisit(undefined);
  forgetTokens();
  session.value = await outside();
  await platform.call(revokeToken);
}

const otherTabs = new BroadcastChannel('signed-out');
otherTabs.addEventListener('message', ({ data: publicKey }) => {
  const current = session.peek();
  if (current.state === 'in' && current.publicKey === publicKey) void leave(current.api);
});

/** A token beside that of the page, for a script. */
export async function anotherToken(): Promise<{ token: string; expiresAt: string }> {
  const current = session.peek();
  if (current.state === 'in' && current.isVisit) {
    const { token, expires_at } = await anyone.call(visitSimulation);
    return { token, expiresAt: expires_at };
  }
  const key = await readKey();
  if (!key) throw new PageProblem('unauthenticated', t('noKey'));
  let made: { token: string; expiresAt: string } | undefined;
  const onToken = (token: string, expiresAt: string): void => {
    made = { token, expiresAt };
  };
  await connect(location.origin, { ...retryPolicy, key: await keyFromPair(key.pair), register: false, onToken });
  if (!made) throw new PageProblem('unavailable', t('noToken'));
  return made;
}
