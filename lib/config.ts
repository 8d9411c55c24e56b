import { readFileSync } from 'node:fs';
import type { Static, TObject } from 'typebox';
import { expectedBy, fits, givenAs, isKeyOf, parseText, type Setting, settingsOf } from './config/setting.ts';

/** What is wrong with a variable; `says` goes on after its name. */
export type Mistake = { name: string; says: string };

export class ConfigError extends Error {
  override name = 'ConfigError';

  static of(mistakes: readonly string[]): ConfigError {
    return new ConfigError(['The configuration is wrong:', ...mistakes].join('\n  '));
  }
}

/** The values of `schema` from environment variables; `NAME_FILE` may name a file that holds the value of `NAME`. */
export function readConfig<Schema extends TObject>(schema: Schema, env: Env): Static<Schema> {
  const { values, mistakes } = checkConfig(schema, env);
  if (mistakes.length > 0) throw ConfigError.of(mistakes.map(({ name, says }) => `${name} ${says}`));
  return values as Static<Schema>;
}

/** The values that can be read, and everything that is wrong. */
export function checkConfig(schema: TObject, env: Env): { values: Record<string, unknown>; mistakes: Mistake[] } {
  const required: readonly string[] = schema.required;
  const values: Record<string, unknown> = {};
  const mistakes: Mistake[] = [];

  for (const [name, setting] of settingsOf(schema)) {
    const read = readValue(name, setting, required.includes(name), env);
    if ('mistake' in read) mistakes.push(read.mistake);
    else if (read.value !== undefined) values[name] = read.value;
  }
  for (const [name, others] of Object.entries(neededBy(schema))) {
    const missing = isGiven(name, env) ? others.filter((other) => !isGiven(other, env)) : [];
    if (missing.length > 0) mistakes.push({ name, says: `is set without ${missing.join(' and ')}; it needs both.` });
  }
  for (const [key, chain] of Object.entries(pairsOf(schema))) {
    if (key in values && chain in values && !isKeyOf(values[key] as string, values[chain] as string)) {
      mistakes.push({ name: key, says: `is not the private key of the first certificate of ${chain}.` });
    }
  }
  return { values, mistakes };
}

/** Which settings a setting cannot do without. */
const neededBy = (schema: TObject): Record<string, string[]> =>
  (schema as { dependentRequired?: Record<string, string[]> }).dependentRequired ?? {};

/** Which setting has the certificates that a private key belongs to. */
const pairsOf = (schema: TObject): Record<string, string> =>
  (schema as { certificatesOf?: Record<string, string> }).certificatesOf ?? {};

type Read<Value> = { value: Value | undefined } | { mistake: Mistake };

function readValue(name: string, setting: Setting, isRequired: boolean, env: Env): Read<unknown> {
  const read = readText(name, setting, env);
  if ('mistake' in read) return read;
  const value = read.value === undefined ? setting.default : parseText(read.value, setting);
  if ((value === undefined && !isRequired) || fits(setting, value)) return { value };
  return { mistake: { name, says: `${givenAs(read.value, setting)}; expected ${expectedBy(setting)}.` } };
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
    const { code, message } = error as NodeJS.ErrnoException;
    // Of a secret nothing is shown: it may itself have been put where the name of its file belongs.
    const says = secret
      ? `names no file that can be read (${code}).`
      : `is "${file}"; expected a file that can be read (${message}).`;
    return { mistake: { name: fileVariable(name), says } };
  }
}

export type Env = Record<string, string | undefined>;

/** The variable that names a file with the value of another. */
export const fileVariable = (name: string): string => `${name}_FILE`;

/** Whether an environment says what a variable is, by itself or by its file. An empty variable says nothing. */
export const isGiven = (name: string, env: Env): boolean => Boolean(env[name] || env[fileVariable(name)]);

/** An environment with values for what it does not say itself. */
export const withFallbacks = (env: Env, fallbacks: Env): Env => ({
  ...env,
  ...Object.fromEntries(Object.entries(fallbacks).filter(([name]) => !isGiven(name, env))),
});

/** An environment with values in place of its own, which may have been in files. */
export function withValues(env: Env, values: Env): Env {
  const changed = { ...env };
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) Object.assign(changed, { [name]: value, [fileVariable(name)]: undefined });
  }
  return changed;
}
