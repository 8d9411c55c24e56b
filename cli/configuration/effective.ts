import { statSync } from 'node:fs';
import { type Setting, settingsOf } from '#lib/config/setting.ts';
import { checkConfig, type Env, fileVariable } from '#lib/config.ts';
import { PriceConfig } from '#price/config.ts';
import { nearest } from '../line/nearest.ts';
import type { ConfigFile } from './config-file.ts';
import { type Findings, type Layers, layered } from './configured-env.ts';
import { type Program, programNames, programs, variablesOf } from './programs.ts';

export type EffectiveSetting = {
  setting: string;
  /** null when there is none, or a secret one, or a wrong one */
  value: string | number | boolean | null;
  /** what stands in place of a value that is not shown */
  hidden?: 'secret' | 'wrong';
  from: string;
};

export type Effective = Findings & { program: Program; settings: EffectiveSetting[] };

/** What a program would run with by itself, where each value is from, and what is wrong. */
export function effective(program: Program, env: Env, file: ConfigFile | undefined): Effective {
  const layers = layered(env, file, [program]);
  const { values, mistakes } = checkConfig(programs[program], layers.env);
  const settings = settingsOf(programs[program]).map(([name, setting]): EffectiveSetting => {
    const from = originOf(name, layers, setting);
    if (mistakes.some((mistake) => mistake.name === name || mistake.name === fileVariable(name)))
      return { setting: name, value: null, hidden: 'wrong', from };
    const value = values[name] as EffectiveSetting['value'] | undefined;
    if (setting.secret && value !== undefined) return { setting: name, value: null, hidden: 'secret', from };
    return { setting: name, value: value ?? null, from };
  });
  return { program, settings, layers, mistakes };
}

function originOf(name: string, { env, path, entries }: Layers, setting: Setting): string {
  const variable = [name, fileVariable(name)].find((candidate) => env[candidate]);
  if (variable === undefined) return setting.default === undefined ? 'not set' : 'default';
  const entry = entries.get(variable);
  const source = entry ? `${path}:${entry.line}` : 'environment';
  return variable === name ? source : `${source}, by ${entry?.key ?? variable}`;
}

/** What is no mistake, and yet hardly meant. */
export function doubts(env: Env, file: ConfigFile | undefined): string[] {
  const known = programNames.flatMap(variablesOf);
  const misspelt = Object.keys(env)
    .filter((name) => env[name] && !known.includes(name))
    .flatMap((name) => {
      const meant = nearest(name, known, name.length < 8 ? 1 : 2);
      return meant ? [`The variable ${name} is read by no program; ${meant} is, which is spelt nearly so.`] : [];
    });
  return [...misspelt, ...openSecrets(file), ...missingTariffs(env, file)];
}

/** The folder may come later, and the platform runs without it. */
function missingTariffs(env: Env, file: ConfigFile | undefined): string[] {
  const { TARIFF_DIR: folder } = checkConfig(PriceConfig, layered(env, file, ['price']).env)
    .values as Partial<PriceConfig>;
  if (!folder || statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return [`TARIFF_DIR is ${JSON.stringify(folder)}, and no folder is there.`];
}

function openSecrets(file: ConfigFile | undefined): string[] {
  if (!file || (file.mode & 0o077) === 0) return [];
  const secret = programNames
    .flatMap((program) => file.entries[program].map((entry) => ({ program, entry })))
    .find(({ program, entry: { variable } }) => isSecret(program, variable));
  if (!secret) return [];
  const { path, mode } = file;
  return [`${path} holds ${secret.entry.key} and can be read by others (mode ${mode.toString(8)}): chmod 600 ${path}.`];
}

/** A variable that only names the file of a secret is none. */
const isSecret = (program: Program, variable: string): boolean =>
  settingsOf(programs[program]).some(([name, { secret }]) => name === variable && secret === true);
