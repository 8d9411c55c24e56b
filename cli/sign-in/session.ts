import { connect, type Ohmstead } from '#contract/client/connect.ts';
import { Problem } from '#contract/problem.ts';
import { systemClock } from '#lib/clock.ts';
import type { Shell } from '../line/command.ts';
import { reportsWith } from '../line/report.ts';
import { readKey } from './own-key.ts';
import { cloudUrl, createPlatformFetch, readSignIns, updateSignIns } from './sign-ins.ts';

const renewBeforeMs = 60_000;
const longestWaitMs = 10_000; // a person waits; a longer outage is reported at once

/** Opens a session with the platform that the user is signed in to; throws a Problem without a sign-in. */
export async function openSession(shell: Shell): Promise<Ohmstead> {
  const url = await cloudUrl(shell);
  const signIn = (await readSignIns(shell)).platforms[url];
  if (!signIn) throw new Problem('unauthenticated', `You are not signed in to ${url}; run: ohmstead login ${url}`);
  const isFresh = Date.parse(signIn.expires_at) > systemClock.now() + renewBeforeMs;
  try {
    return await connect(url, {
      key: await readKey(signIn.key_file, shell),
      register: false,
      longestWaitMs,
      ...(isFresh && { token: signIn.token }),
      fetch: createPlatformFetch(url),
      onToken: (token, expires_at) =>
        updateSignIns(shell, ({ platforms }) => {
          const current = platforms[url]; // another command may have signed out, or in as someone else
          if (current?.identity_id !== signIn.identity_id || current.key_file !== signIn.key_file) return;
          platforms[url] = { ...signIn, token, expires_at };
        }),
    });
  } catch (cause) {
    if (!(cause instanceof Problem && cause.code === 'identity_unknown')) throw cause;
    const sentence = `Your key is not registered at ${url}; run: ohmstead login ${url}`;
    throw new Problem('identity_unknown', sentence, {}, { cause });
  }
}

/** Defines a command that signs in and prints a report. */
export const signedIn = reportsWith({ options: {}, open: async (_, shell) => ({ api: await openSession(shell) }) });
