import { readFileSync, statSync } from 'node:fs';
import type { Env } from '#lib/config.ts';
import { ConfigError } from '#lib/config.ts';
import { errorCode } from '#lib/error-code.ts';
import type { Option } from '../line/command.ts';
import { messageOf } from '../line/errors.ts';
import type { Program } from './programs.ts';
import type { ConfigEntry, FileMistake } from './yaml-file.ts';

export const configOption = {
  value: 'FILE',
  help: 'configuration file; overrides OHMSTEAD_CONFIG. Default ./ohmstead.yaml',
} as const satisfies Option;

export type ConfigFile = {
  path: string;
  entries: Record<Program, readonly ConfigEntry[]>;
  mistakes: readonly FileMistake[];
  mode: number;
};

const defaultFile = 'ohmstead.yaml';
const maxBytes = 65_536; // a configuration has a few hundred lines; limits the time to parse hostile input

/** Reads the given configuration file, else ./ohmstead.yaml if it exists. */
export async function readConfigFile(named: string | undefined, env: Env): Promise<ConfigFile | undefined> {
  const path = named ?? (env.OHMSTEAD_CONFIG || undefined);
  const found = readText(path ?? defaultFile, path === undefined);
  if (!found) return undefined;
  const { parseConfigFile } = await import('./yaml-file.ts'); // loads the parser only if there is a file
  return { path: path ?? defaultFile, mode: found.mode, ...parseConfigFile(found.text) };
}

function readText(path: string, mayBeMissing: boolean): { text: string; mode: number } | undefined {
  try {
    const { size, mode } = statSync(path);
    if (size > maxBytes) throw new ConfigError(`The configuration file ${path} is larger than ${maxBytes} bytes.`);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
    return { text, mode: mode & 0o777 };
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' && mayBeMissing) return undefined;
    if (error instanceof ConfigError) throw error;
    const why = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8' : messageOf(error);
    throw new ConfigError(`Cannot read the configuration file ${path}: ${why}.`, { cause: error });
  }
}
