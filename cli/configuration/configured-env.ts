import {
  ConfigError,
  type ConfigMistake,
  checkConfig,
  type Env,
  fileVariable,
  isGiven,
  withValues,
} from '#lib/config.ts';
import type { Shell } from '../line/command.ts';
import { type ConfigFile, readConfigFile } from './config-file.ts';
import type { Entry, FileMistake } from './entry.ts';
import { type Program, programs, settingOf } from './programs.ts';

type Sources = {
  /** the configuration file that the command line names */
  config?: string | undefined;
  /** that run in this process; a setting that several have is taken from the section of the first */
  programs: readonly Program[];
  /** variables that the command line gives */
  set?: Env;
};

/**
 * The environment of programs: the configuration file, above it the environment, above that the command line. Everything
 * that is wrong with it is told at once.
 */
export async function configuredEnv(shell: Shell, { config, programs: names, set = {} }: Sources): Promise<Env> {
  const file = await readConfigFile(config, shell.env);
  const layers = layered(withValues(shell.env, set), file, names);
  const wrong = names.flatMap((name) => checkConfig(programs[name], layers.env).mistakes);
  const mistakes = toldMistakes(file, [{ layers, mistakes: wrong }]);
  if (mistakes.length > 0) throw ConfigError.of(mistakes);
  return layers.env;
}

/** An environment, and where in the file those of its variables stand that are from there. */
export type Layers = { env: Env; path: string | undefined; entries: ReadonlyMap<string, Entry> };

export function layered(env: Env, file: ConfigFile | undefined, names: readonly Program[]): Layers {
  const entries = new Map<string, Entry>();
  if (!file) return { env, path: undefined, entries };
  names.forEach((name, index) => {
    for (const entry of file.entries[name]) {
      const setting = settingOf(name, entry.variable)!;
      const isOfAnother = names.slice(0, index).some((other) => settingOf(other, setting) !== undefined);
      if (!isOfAnother && !isGiven(setting, env)) entries.set(entry.variable, entry);
    }
  });
  const values = [...entries.values()].map(({ variable, text }) => [variable, text]);
  return { env: { ...env, ...Object.fromEntries(values) }, path: file.path, entries };
}

export type Findings = { layers: Layers; mistakes: readonly ConfigMistake[] };

/** Everything that is wrong, each once: what is in the file by its place there, then the environment. */
export function toldMistakes(file: ConfigFile | undefined, found: readonly Findings[]): string[] {
  const inFile: FileMistake[] = [...(file?.mistakes ?? [])];
  const elsewhere: string[] = [];
  for (const { layers, mistakes } of found) {
    for (const { name, says } of mistakes) {
      const entry = layers.entries.get(name) ?? layers.entries.get(fileVariable(name));
      if (entry) inFile.push({ ...entry, says: `${entry.key} ${says}` });
      else elsewhere.push(`${name} ${says}`);
    }
  }
  const placed = inFile
    .toSorted((a, b) => a.line - b.line || a.column - b.column)
    .map(({ line, column, says }) => `${file!.path}:${line}:${column} ${says}`);
  return [...new Set([...placed, ...elsewhere])];
}
