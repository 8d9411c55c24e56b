import { Problem } from '#contract/problem.ts';
import type { Shell } from '../line/command.ts';
import { readSignIns } from './sign-ins.ts';

const defaultUrl = 'http://localhost:8080';

/** Returns the address of the platform: OHMSTEAD_URL, else the current sign-in, else http://localhost:8080. */
export async function cloudUrl(shell: Shell): Promise<string> {
  if (shell.env.OHMSTEAD_URL) return normalizePlatformUrl(shell.env.OHMSTEAD_URL);
  return (await readSignIns(shell)).current ?? defaultUrl;
}

/** Normalises the address of a platform; sign-ins are stored by it. */
export function normalizePlatformUrl(text: string): string {
  const url = URL.parse(/^\w+:\/\//.test(text) ? text : `http://${text}`);
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash;
  if (isPlain) return url.href.replace(/\/+$/, '');
  throw new Problem(
    'invalid_request',
    `"${text}" is not a valid platform address. Example: https://energy.example.org`,
  );
}

/** Creates a fetch that throws this sentence when the server cannot be reached. */
export const createFetch =
  (sentence: string): typeof fetch =>
  async (input, init) => {
    try {
      return await fetch(input, init);
    } catch (cause) {
      if (init?.signal?.aborted) throw cause;
      throw new Problem('unavailable', sentence, {}, { cause });
    }
  };

export const createPlatformFetch = (url: string): typeof fetch =>
  createFetch(`Cannot reach a platform at ${url}. Start one with: ohmstead up. To use another: ohmstead login <url>`);
