import { join } from 'node:path';
import { Problem } from '#contract/problem.ts';
import { readJson, writeJson } from '#lib/atomic-file.ts';
import { FolderInUse, lockFolder } from '#lib/folder-lock.ts';
import { retry } from '#lib/retry.ts';
import type { Shell } from '../line/command.ts';
import { configFolder } from './config-folder.ts';

export type SignIn = {
  identity_id: string;
  /** PKCS 8, PEM */
  key_file: string;
  token: string;
  expires_at: string;
};

/** By the address of the platform; `current` is the one that commands use. */
export type SignIns = { current?: string; platforms: Record<string, SignIn> };

const fileIn = (folder: string): string => join(folder, 'sign-ins.json');

export async function readSignIns(shell: Shell): Promise<SignIns> {
  const stored = await readJson<SignIns>(fileIn(configFolder(shell)));
  if (stored?.damaged) {
    throw new Problem(
      'storage_failed',
      `Where you are signed in was damaged and is set aside as ${stored.damaged}; run: ohmstead login`,
    );
  }
  return stored?.data ?? { platforms: {} };
}

/** Others may change it at the same time: a token is renewed by whichever command needs it first. */
export async function changeSignIns(shell: Shell, change: (signIns: SignIns) => void): Promise<void> {
  const folder = configFolder(shell);
  const lock = await retry(async () => lockFolder(folder), {
    attempts: 30,
    minDelayMs: 20,
    maxDelayMs: 200,
    shouldRetry: (error) => error instanceof FolderInUse,
  });
  try {
    const signIns = await readSignIns(shell);
    change(signIns);
    await writeJson(fileIn(folder), signIns);
  } finally {
    lock.release();
  }
}
