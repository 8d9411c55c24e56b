import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { Problem } from '#contract/problem.ts';
import { readJson, writeJson } from '#lib/atomic-file.ts';
import { FolderInUse, lockFolder } from '#lib/folder-lock.ts';
import { retry } from '#lib/retry.ts';
import type { Shell } from '../line/command.ts';

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

/** Returns the folder of the user's own files: the private key and the sign-ins. */
export function configFolder({ env }: Pick<Shell, 'env'>): string {
  if (env.OHMSTEAD_CONFIG_DIR) return resolve(env.OHMSTEAD_CONFIG_DIR);
  const { XDG_CONFIG_HOME = '' } = env;
  return join(isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(homedir(), '.config'), 'ohmstead');
}

export type SignIn = {
  identity_id: string;
  /** PKCS 8, PEM */
  key_file: string;
  token: string;
  expires_at: string;
};

/** Sign-ins by platform address; commands use the platform in `current`. */
export type SignIns = { current?: string; platforms: Record<string, SignIn> };

const fileIn = (folder: string): string => join(folder, 'sign-ins.json');

export async function readSignIns(shell: Shell): Promise<SignIns> {
  const stored = await readJson<SignIns>(fileIn(configFolder(shell)));
  if (stored?.damaged) {
    throw new Problem(
      'storage_failed',
      `The file with your sign-ins was damaged and has been moved to ${stored.damaged}; run: ohmstead login`,
    );
  }
  return stored?.data ?? { platforms: {} };
}

/** Changes the sign-ins under a lock, since several commands may renew a token at the same time. */
export async function updateSignIns(shell: Shell, change: (signIns: SignIns) => void): Promise<void> {
  const folder = configFolder(shell);
  using _lock = await retry(async () => lockFolder(folder), {
    attempts: 30,
    minDelayMs: 20,
    maxDelayMs: 200,
    shouldRetry: (error) => error instanceof FolderInUse,
  });
  const signIns = await readSignIns(shell);
  change(signIns);
  await writeJson(fileIn(folder), signIns);
}
