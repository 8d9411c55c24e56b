import { readFileSync, statSync } from 'node:fs';
import type { Env } from '#lib/config.ts';
import { ConfigError } from '#lib/config.ts';
import type { Option } from '../line/command.ts';
import type { Entry, FileMistake } from './entry.ts';
import type { Program } from './programs.ts';

export const configOption = {
  value: 'FILE',
  says: 'configuration file, instead of OHMSTEAD_CONFIG or ./ohmstead.yaml',
} as const satisfies Option;

export type ConfigFile = {
  path: string;
  entries: Record<Program, readonly Entry[]>;
  mistakes: readonly FileMistake[];
  /** permissions, as in 0o600 */
  mode: number;
};

const usualFile = 'ohmstead.yaml';
const mostBytes = 65_536; // a configuration is some hundred lines; what is deeper or longer only costs time

/** The configuration file: the one that is named, else ./ohmstead.yaml when it is there. */
export async function readConfigFile(named: string | undefined, env: Env): Promise<ConfigFile | undefined> {
  const path = named ?? (env.OHMSTEAD_CONFIG || undefined);
  const found = readText(path ?? usualFile, path === undefined);
  if (!found) return undefined;
  const { parseConfigFile } = await import('./yaml-file.ts'); // most programs run without a file, and without a parser
  return { path: path ?? usualFile, mode: found.mode, ...parseConfigFile(found.text) };
}

function readText(path: string, mayBeMissing: boolean): { text: string; mode: number } | undefined {
  try {
    const { size, mode } = statSync(path);
    if (size > mostBytes) throw new ConfigError(`The configuration file ${path} has more than ${mostBytes} bytes.`);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
    return { text, mode: mode & 0o777 };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && mayBeMissing) return undefined;
    if (error instanceof ConfigError) throw error;
    const why = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8' : message;
    throw new ConfigError(`The configuration file ${path} cannot be read: ${why}.`, { cause: error });
  }
}
