import { statSync } from 'node:fs';
import { type Setting, settingsOf } from '#lib/config/setting.ts';
import { checkConfig, type Env, fileVariable } from '#lib/config.ts';
import { PriceConfig } from '#price/config.ts';
import { findNearest } from '../line/nearest.ts';
import type { ConfigFile } from './configured-env.ts';
import { type ConfigCheck, type EnvLayers, layerEnv } from './configured-env.ts';
import { type Program, programNames, programs, variablesOf } from './programs.ts';

export type EffectiveSetting = {
  setting: string;
  /** null if it is not set, secret or invalid */
  value: string | number | boolean | null;
  /** why the value is not shown */
  hidden?: 'secret' | 'wrong';
  from: string;
};

export type EffectiveConfig = ConfigCheck & { program: Program; settings: EffectiveSetting[] };

/** Returns the settings of a program, the source of each value, and all mistakes. */
export function effectiveConfig(program: Program, env: Env, file: ConfigFile | undefined): EffectiveConfig {
  const layers = layerEnv(env, file, [program]);
  const { values, mistakes } = checkConfig(programs[program], layers.env);
  const found = new Map(Object.entries(values));
  const settings = settingsOf(programs[program]).map(([name, setting]): EffectiveSetting => {
    const from = originOf(name, layers, setting);
    if (mistakes.some((mistake) => mistake.name === name || mistake.name === fileVariable(name)))
      return { setting: name, value: null, hidden: 'wrong', from };
    const value = found.get(name);
    if (setting.secret && value !== undefined) return { setting: name, value: null, hidden: 'secret', from };
    return { setting: name, value: value ?? null, from };
  });
  return { program, settings, layers, mistakes };
}

function originOf(name: string, { env, path, entries }: EnvLayers, setting: Setting): string {
  const variable = [name, fileVariable(name)].find((candidate) => env[candidate]);
  if (variable === undefined) return setting.default === undefined ? 'not set' : 'default';
  const entry = entries.get(variable);
  const source = entry ? `${path}:${entry.line}` : 'environment';
  return variable === name ? source : `${source}, by ${entry?.key ?? variable}`;
}

/** Lists likely mistakes that do not stop a program. */
export function configWarnings(env: Env, file: ConfigFile | undefined): string[] {
  const known = programNames.flatMap(variablesOf);
  const misspelt = Object.keys(env)
    .filter((name) => env[name] && !known.includes(name))
    .flatMap((name) => {
      const meant = findNearest(name, known, name.length < 8 ? 1 : 2);
      return meant ? [`No program reads the variable ${name}; did you mean ${meant}?`] : [];
    });
  return [...misspelt, ...openSecrets(file), ...missingTariffs(env, file)];
}

/** Warns of a missing tariff folder. It may be created later; the platform runs without it. */
function missingTariffs(env: Env, file: ConfigFile | undefined): string[] {
  const { TARIFF_DIR: folder } = checkConfig(PriceConfig, layerEnv(env, file, ['price']).env).values;
  if (!folder || statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return [`TARIFF_DIR is ${JSON.stringify(folder)}, which is not a folder.`];
}

function openSecrets(file: ConfigFile | undefined): string[] {
  if (!file || (file.mode & 0o077) === 0) return [];
  const secret = programNames
    .flatMap((program) => file.entries[program].map((entry) => ({ program, entry })))
    .find(({ program, entry: { variable } }) => isSecret(program, variable));
  if (!secret) return [];
  const { path, mode } = file;
  return [
    `${path} contains ${secret.entry.key} and other users can read it (mode ${mode.toString(8)}); run: chmod 600 ${path}`,
  ];
}

/** Returns whether a variable holds a secret; one that names the file of a secret does not. */
const isSecret = (program: Program, variable: string): boolean =>
  settingsOf(programs[program]).some(([name, { secret }]) => name === variable && secret === true);
