import { join } from 'node:path';
import { claimMinutes, isTimely } from '#contract/claim.ts';
import { keysType, PlatformKeys } from '#contract/manage.ts';
import { minuteMs } from '#contract/time.ts';
import { readJsonOrWarn, writeJson } from '#lib/atomic-file.ts';
import type { Clock } from '#lib/clock.ts';
import { validator } from '#lib/http/validate.ts';
import { isObject, JsonError, parseJson } from '#lib/json.ts';
import { readTyped, type TypedMessage } from '#lib/keys/typed-message.ts';
import type { Logger } from '#lib/log.ts';

export type TrustedPlatform = Pick<PlatformKeys, 'iss' | 'iat' | 'keys'>;

const isKeyList = validator(PlatformKeys, 'body', 'ignore');

type KeyList = { signed: TypedMessage; list: PlatformKeys };

/** Reads the key list of a platform message; undefined if it has none that names its own deployment. */
function readKeyList(payload: Buffer): KeyList | undefined {
  try {
    const message = parseJson(payload);
    if (!isObject(message) || typeof message.keys !== 'string') return undefined;
    const signed = readTyped(keysType, message.keys);
    if (!signed || !isKeyList(signed.payload) || signed.payload.iss !== message.deployment_id) return undefined;
    return { signed, list: signed.payload };
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

const isSignedByOneOf = (signed: TypedMessage, keys: PlatformKeys['keys']): boolean =>
  keys.some(({ kid, x }) => kid === signed.kid && signed.isSignedBy(x));

/**
 * Keeps the signing keys of the platform behind each configured broker. The first list is trusted, later ones only if a key of
 * the list before signed them. A claim that somebody signs at the gateway, and enabling remote management there, trust again.
 */
export async function openPlatformKeys({ dataDir, clock, log }: { dataDir: string; clock: Clock; log: Logger }) {
  const path = join(dataDir, 'platform-keys.json');
  const damaged = 'the keys of the platform were damaged and set aside';
  const trusted = new Map(
    Object.entries((await readJsonOrWarn<Record<string, TrustedPlatform>>(path, damaged, log)) ?? {}),
  );
  const refused = new Map<string, KeyList>();
  let writing = Promise.resolve();
  let trustsAnewUntil = Number.NEGATIVE_INFINITY;

  function store(): void {
    writing = writeJson(path, Object.fromEntries(trusted)).catch((error: unknown) =>
      log.warn({ err: error }, 'failed to store the keys of the platform'),
    );
  }

  function take(url: string, { signed, list }: KeyList): boolean {
    const before = trusted.get(url);
    const isSuccessor = before?.iss === list.iss && list.iat >= before.iat && isSignedByOneOf(signed, before.keys);
    const mayTrust = (!before || clock.now() < trustsAnewUntil) && isTimely(list.iat * 1000, clock.now());
    if (!isSuccessor && !(mayTrust && isSignedByOneOf(signed, list.keys))) return false;
    const isSame = before && JSON.stringify(before.keys) === JSON.stringify(list.keys) && before.iss === list.iss;
    trusted.set(url, list);
    if (isSame) return true;
    log.info({ deployment: list.iss, keys: list.keys.map(({ kid }) => kid) }, 'platform keys trusted');
    store();
    return true;
  }

  return {
    /** Returns the platform behind a broker. */
    of: (url: string): TrustedPlatform | undefined => trusted.get(url),
    /** Returns whether one of the configured brokers belongs to this platform. */
    knows: (iss: string): boolean => [...trusted.values()].some((platform) => platform.iss === iss),
    /** Returns false if a platform sent keys that are not trusted. */
    isTrusted: (): boolean => refused.size === 0,
    learn(url: string, payload: Buffer): void {
      const received = readKeyList(payload);
      if (!received) return;
      if (take(url, received)) refused.delete(url);
      else {
        if (!refused.has(url)) {
          log.warn('the platform has unknown keys; its requests are refused until they are trusted at this gateway');
        }
        refused.set(url, received);
      }
    },
    /** Trusts the keys that a platform sent last, or sends within the next minutes. */
    trustAnew(): void {
      trustsAnewUntil = clock.now() + claimMinutes * minuteMs;
      for (const [url, received] of refused) if (take(url, received)) refused.delete(url);
    },
    /** Removes the keys of brokers that the configuration does not contain any more. */
    keepOnly(urls: readonly string[]): void {
      const gone = [...trusted.keys()].filter((url) => !urls.includes(url));
      for (const url of gone) trusted.delete(url);
      for (const url of refused.keys()) if (!urls.includes(url)) refused.delete(url);
      if (gone.length > 0) store();
    },
    close: () => writing,
  };
}

export type PlatformKeyStore = Awaited<ReturnType<typeof openPlatformKeys>>;
