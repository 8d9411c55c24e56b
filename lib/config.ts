import { readFileSync } from 'node:fs';
import type { Static, TObject } from 'typebox';

type Env = Record<string, string | undefined>;

type Property = {
  type?: 'string' | 'integer' | 'number' | 'boolean';
  enum?: string[];
  default?: unknown;
  description?: string;
  secret?: boolean; // its value appears in no message
  [constraint: string]: unknown;
};

const kinds = { string: 'text', integer: 'an integer', number: 'a number', boolean: 'true or false' };

type Constraint = { phrase: string; holds(value: never, limit: never): boolean };

// Checked here and not by a library: a start would wait for it longer than for all the rest of this.
const constraints: Record<string, Constraint> = {
  minimum: { phrase: 'at least', holds: (value: number, limit: number) => value >= limit },
  maximum: { phrase: 'at most', holds: (value: number, limit: number) => value <= limit },
  exclusiveMinimum: { phrase: 'more than', holds: (value: number, limit: number) => value > limit },
  exclusiveMaximum: { phrase: 'less than', holds: (value: number, limit: number) => value < limit },
  minLength: { phrase: 'length at least', holds: (value: string, limit: number) => value.length >= limit },
  maxLength: { phrase: 'length at most', holds: (value: string, limit: number) => value.length <= limit },
  format: { phrase: 'in the format', holds: (value: string) => URL.canParse(value) }, // uri is the only one
  pattern: { phrase: 'matching', holds: (value: string, limit: string) => new RegExp(limit, 'u').test(value) },
};

const booleans = new Map([
  ...['1', 'true', 'yes', 'on'].map((word) => [word, true] as const),
  ...['0', 'false', 'no', 'off'].map((word) => [word, false] as const),
]);

export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** The values of `schema` from environment variables; `NAME_FILE` may name a file that holds the value of `NAME`. */
export function readConfig<Schema extends TObject>(schema: Schema, env: Env): Static<Schema> {
  const required: readonly string[] = schema.required;
  const config: Record<string, unknown> = {};
  const mistakes: string[] = [];

  for (const [name, property] of Object.entries(schema.properties as Record<string, Property>)) {
    try {
      const value = readValue(name, property, required.includes(name), env);
      if (value !== undefined) config[name] = value;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      mistakes.push(error.message);
    }
  }

  if (mistakes.length > 0) throw new ConfigError(['The configuration is wrong:', ...mistakes].join('\n  '));
  return config as Static<Schema>;
}

function readValue(name: string, property: Property, isRequired: boolean, env: Env): unknown {
  const text = readText(name, env);
  const value = text === undefined ? property.default : parseText(text, property);
  if (value === undefined && !isRequired) return undefined;
  if (fits(property, value)) return value;
  throw new ConfigError(`${name} ${givenAs(text, property)}; expected ${expectedBy(property)}.`);
}

function readText(name: string, env: Env): string | undefined {
  const text = env[name] || undefined;
  const file = env[`${name}_FILE`];
  if (!file) return text;
  if (text !== undefined) throw new ConfigError(`${name} and ${name}_FILE are both set; expected one of them.`);
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '') || undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`${name}_FILE is "${file}"; expected a file that can be read (${reason}).`);
  }
}

/** Text that does not fit the type stays text, for the check to refuse. */
function parseText(text: string, { type }: Property): unknown {
  if (type === 'boolean') return booleans.get(text.toLowerCase()) ?? text;
  const isNumber = type === 'integer' || type === 'number';
  return isNumber && /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
}

function fits(property: Property, value: unknown): boolean {
  if (property.enum) return property.enum.includes(value as string);
  return (
    isA(property.type ?? 'string', value) &&
    limitsOf(property).every(([{ holds }, limit]) => holds(value as never, limit as never))
  );
}

function isA(type: keyof typeof kinds, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return type === 'number' ? Number.isFinite(value) : typeof value === type;
}

const limitsOf = (property: Property): [Constraint, unknown][] =>
  Object.entries(constraints)
    .filter(([keyword]) => property[keyword] !== undefined)
    .map(([keyword, constraint]) => [constraint, property[keyword]]);

function givenAs(text: string | undefined, { secret }: Property): string {
  if (text === undefined) return 'is not set';
  return secret ? 'is set to a secret that does not fit' : `is ${JSON.stringify(text)}`;
}

function expectedBy(property: Property): string {
  const kind = property.enum ? `one of ${property.enum.join(', ')}` : kinds[property.type ?? 'string'];
  const limits = limitsOf(property).map(([{ phrase }, limit]) => `${phrase} ${String(limit)}`);
  const meaning = property.description ? ` (${property.description})` : '';
  return [kind, ...limits].join(', ') + meaning;
}
