import { connect, type Ohmstead } from '#contract/client/connect.ts';
import { Problem } from '#contract/problem.ts';
import { systemClock } from '#lib/clock.ts';
import type { Shell } from '../line/command.ts';
import { readKey } from './key-of-person.ts';
import { cloudUrl, fetchFromPlatform } from './platform-address.ts';
import { changeSignIns, readSignIns } from './sign-ins.ts';

const renewBeforeMs = 60_000;

/** The platform the person is signed in to; a Problem tells to run ohmstead login otherwise. */
export async function signedIn(shell: Shell): Promise<Ohmstead> {
  const url = await cloudUrl(shell);
  const kept = (await readSignIns(shell)).platforms[url];
  if (!kept) throw new Problem('unauthenticated', `You are not signed in to ${url}; run: ohmstead login ${url}`);
  const isFresh = Date.parse(kept.expires_at) > systemClock.now() + renewBeforeMs;
  try {
    return await connect(url, {
      key: await readKey(kept.key_file, shell),
      register: false,
      ...(isFresh && { token: kept.token }),
      fetch: fetchFromPlatform(url),
      onToken: (token, expires_at) =>
        changeSignIns(shell, ({ platforms }) => {
          const current = platforms[url]; // somebody may have signed out meanwhile, or in as another
          if (current?.identity_id !== kept.identity_id || current.key_file !== kept.key_file) return;
          platforms[url] = { ...kept, token, expires_at };
        }),
    });
  } catch (cause) {
    if (!(cause instanceof Problem && cause.code === 'identity_unknown')) throw cause;
    const sentence = `${url} does not know your key; register it with: ohmstead login ${url}`;
    throw new Problem('identity_unknown', sentence, {}, { cause });
  }
}
