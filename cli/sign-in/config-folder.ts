import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Shell } from '../line/command.ts';

/** Where what belongs to the person is kept: their key, and where they are signed in. */
export function configFolder({ env }: Pick<Shell, 'env'>): string {
  if (env.OHMSTEAD_CONFIG_DIR) return resolve(env.OHMSTEAD_CONFIG_DIR);
  const { XDG_CONFIG_HOME = '' } = env;
  return join(isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(homedir(), '.config'), 'ohmstead');
}
