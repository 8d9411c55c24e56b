import { readFileSync, statSync } from 'node:fs';
import {
  ConfigError,
  type ConfigMistake,
  checkConfig,
  type Env,
  fileVariable,
  isGiven,
  withValues,
} from '#lib/config.ts';
import { errorCode } from '#lib/error-code.ts';
import type { Option, Shell } from '../line/command.ts';
import { messageOf } from '../line/errors.ts';
import { type Program, programs, settingOf } from './programs.ts';
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

type Sources = {
  /** path of the configuration file, from the command line */
  config?: string | undefined;
  /** programs of this process; a setting that several share comes from the section of the first */
  programs: readonly Program[];
  /** variables set by options of the command line */
  set?: Env;
};

/** Returns the environment of programs: the command line overrides the environment, which overrides the file. */
export async function configuredEnv(shell: Shell, { config, programs: names, set = {} }: Sources): Promise<Env> {
  const file = await readConfigFile(config, shell.env);
  const layers = layerEnv(withValues(shell.env, set), file, names);
  const wrong = names.flatMap((name) => checkConfig(programs[name], layers.env).mistakes);
  const mistakes = describeMistakes(file, [{ layers, mistakes: wrong }]);
  if (mistakes.length > 0) throw ConfigError.of(mistakes);
  return layers.env;
}

/** An environment, and the entries of the file that it includes. */
export type EnvLayers = { env: Env; path: string | undefined; entries: ReadonlyMap<string, ConfigEntry> };

export function layerEnv(env: Env, file: ConfigFile | undefined, names: readonly Program[]): EnvLayers {
  const entries = new Map<string, ConfigEntry>();
  if (!file) return { env, path: undefined, entries };
  names.forEach((name, index) => {
    for (const entry of file.entries[name]) {
      const isOfAnother = names.slice(0, index).some((other) => settingOf(other, entry.setting) !== undefined);
      if (!isOfAnother && !isGiven(entry.setting, env)) entries.set(entry.variable, entry);
    }
  });
  const values = [...entries.values()].map(({ variable, text }) => [variable, text]);
  return { env: { ...env, ...Object.fromEntries(values) }, path: file.path, entries };
}

export type ConfigCheck = { layers: EnvLayers; mistakes: readonly ConfigMistake[] };

/** Lists all mistakes once: those in the file by position, then those of the environment. */
export function describeMistakes(file: ConfigFile | undefined, found: readonly ConfigCheck[]): string[] {
  const inFile: FileMistake[] = [...(file?.mistakes ?? [])];
  const elsewhere: string[] = [];
  for (const { layers, mistakes } of found) {
    for (const { name, says } of mistakes) {
      const entry = layers.entries.get(name) ?? layers.entries.get(fileVariable(name));
      if (entry) inFile.push({ ...entry, message: `${entry.key} ${says}` });
      else elsewhere.push(`${name} ${says}`);
    }
  }
  const placed = inFile
    .toSorted((a, b) => a.line - b.line || a.column - b.column)
    .map(({ line, column, message: says }) => `${file?.path}:${line}:${column} ${says}`);
  return [...new Set([...placed, ...elsewhere])];
}
