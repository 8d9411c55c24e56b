import { readFileSync } from 'node:fs';
import type { Static, TObject } from 'typebox';
import {
  describeExpected,
  describeValue,
  fits,
  isKeyOf,
  parseText,
  type Setting,
  settingsOf,
} from './config/setting.ts';
import { errorCode } from './error-code.ts';

/** An invalid variable; `says` continues the sentence after its name. */
export type ConfigMistake = { name: string; says: string };

export class ConfigError extends Error {
  override name = 'ConfigError';

  static of(mistakes: readonly string[]): ConfigError {
    return new ConfigError(['The configuration is invalid:', ...mistakes].join('\n  '));
  }
}

/** Reads the settings of a schema from environment variables. `NAME_FILE` may name a file with the value of `NAME`. */
export function readConfig<Schema extends TObject>(schema: Schema, env: Env): Static<Schema> {
  const { values, mistakes } = checkConfig(schema, env);
  if (mistakes.length > 0) throw ConfigError.of(mistakes.map(({ name, says }) => `${name} ${says}`));
  return values as Static<Schema>;
}

export function checkConfig<Schema extends TObject>(
  schema: Schema,
  env: Env,
): { values: Partial<Static<Schema>>; mistakes: ConfigMistake[] } {
  const { required, dependentRequired = {}, certificatesOf = {} }: SettingRules = schema;
  const values: Record<string, unknown> = {};
  const mistakes: ConfigMistake[] = [];

  for (const [name, setting] of settingsOf(schema)) {
    const read = readValue(name, setting, required.includes(name), env);
    if ('mistake' in read) mistakes.push(read.mistake);
    else if (read.value !== undefined) values[name] = read.value;
  }
  for (const [name, others] of Object.entries(dependentRequired)) {
    const missing = isGiven(name, env) ? others.filter((other) => !isGiven(other, env)) : [];
    if (missing.length > 0) mistakes.push({ name, says: `is set without ${missing.join(' and ')}; it needs both.` });
  }
  for (const [key, chain] of Object.entries(certificatesOf)) {
    const [keyText, chainText] = [values[key], values[chain]];
    if (typeof keyText === 'string' && typeof chainText === 'string' && !isKeyOf(keyText, chainText)) {
      mistakes.push({ name: key, says: `is not the private key of the first certificate in ${chain}.` });
    }
  }
  return { values: Object.assign<Partial<Static<Schema>>, object>({}, values), mistakes };
}

type SettingRules = {
  required: readonly string[];
  /** the settings that each setting requires */
  dependentRequired?: Record<string, string[]>;
  /** by the name of a private key setting, the setting with its certificates */
  certificatesOf?: Record<string, string>;
};

type Read<Value> = { value: Value | undefined } | { mistake: ConfigMistake };

function readValue(name: string, setting: Setting, isRequired: boolean, env: Env): Read<unknown> {
  const read = readText(name, setting, env);
  if ('mistake' in read) return read;
  const value = read.value === undefined ? setting.default : parseText(read.value, setting);
  if ((value === undefined && !isRequired) || fits(setting, value)) return { value };
  return { mistake: { name, says: `${describeValue(read.value, setting)}; expected ${describeExpected(setting)}.` } };
}

function readText(name: string, { secret }: Setting, env: Env): Read<string> {
  const text = env[name] || undefined;
  const file = env[fileVariable(name)];
  if (!file) return { value: text };
  if (text !== undefined) {
    return { mistake: { name, says: `and ${fileVariable(name)} are both set; expected one of them.` } };
  }
  try {
    return { value: readFileSync(file, 'utf8').replace(/\r?\n$/, '') || undefined };
  } catch (error) {
    // Secrets are not shown, not even in part: one may stand where the name of its file belongs.
    const says = secret
      ? `does not name a readable file (${String(errorCode(error))}).`
      : `is "${file}"; expected a readable file (${error instanceof Error ? error.message : String(error)}).`;
    return { mistake: { name: fileVariable(name), says } };
  }
}

export type Env = Record<string, string | undefined>;

/** Returns the variable that names a file with the value of another variable. */
export const fileVariable = (name: string): string => `${name}_FILE`;

/** Returns whether a variable is set, directly or by a file. An empty variable is not set. */
export const isGiven = (name: string, env: Env): boolean => Boolean(env[name] || env[fileVariable(name)]);

export const withFallbacks = (env: Env, fallbacks: Env): Env => ({
  ...env,
  ...Object.fromEntries(Object.entries(fallbacks).filter(([name]) => !isGiven(name, env))),
});

/** Replaces variables, including those set by files. */
export function withValues(env: Env, values: Env): Env {
  const changed = { ...env };
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) Object.assign(changed, { [name]: value, [fileVariable(name)]: undefined });
  }
  return changed;
}

/** Parses pairs such as SEK=11.2,NOK=11.9. */
export const pairsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(',')
      .filter(Boolean)
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
