import { Problem } from '#contract/problem.ts';
import type { Shell } from '../line/command.ts';
import { readSignIns } from './sign-ins.ts';

const usualUrl = 'http://localhost:8080';

/** Where the platform is, for what needs no sign-in: OHMSTEAD_URL, else that of the sign-in, else http://localhost:8080. */
export async function cloudUrl(shell: Shell): Promise<string> {
  if (shell.env.OHMSTEAD_URL) return platformUrl(shell.env.OHMSTEAD_URL);
  return (await readSignIns(shell)).current ?? usualUrl;
}

/** The one spelling that sign-ins are kept under. */
export function platformUrl(text: string): string {
  const url = URL.parse(/^\w+:\/\//.test(text) ? text : `http://${text}`);
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash;
  if (isPlain) return url.href.replace(/\/+$/, '');
  throw new Problem('invalid_request', `"${text}" is no address of a platform; one is https://energy.example.org.`);
}

/** Fetches, and tells what to do when nothing answers there. */
export const fetchFrom =
  (sentence: string): typeof fetch =>
  async (input, init) => {
    try {
      return await fetch(input, init);
    } catch (cause) {
      if (init?.signal?.aborted) throw cause;
      throw new Problem('unavailable', sentence, {}, { cause });
    }
  };

export const fetchFromPlatform = (url: string): typeof fetch =>
  fetchFrom(`No platform answers at ${url}: start one with ohmstead up, or name another: ohmstead login <url>`);
