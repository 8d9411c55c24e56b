import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { Problem } from '#contract/problem.ts';
import { readJson, writeJson } from '#lib/atomic-file.ts';
import { FolderInUse, lockFolder } from '#lib/folder-lock.ts';
import { retry } from '#lib/retry.ts';
import type { Shell } from '../line/command.ts';

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
