import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { TObject } from 'typebox';
import { parseNetwork } from '../network.ts';

export type Setting = {
  type?: 'string' | 'integer' | 'number' | 'boolean';
  enum?: string[];
  default?: string | number | boolean;
  /** a phrase for messages, help and documents */
  description?: string;
  /** more sentences in Markdown, for documents only */
  note?: string;
  /** examples of a setting without a default */
  examples?: (string | number)[];
  /** whether its value is hidden in messages */
  secret?: boolean;
  [constraint: string]: unknown;
};

export const settingsOf = (schema: Pick<TObject, 'properties'>): [name: string, setting: Setting][] =>
  Object.entries(schema.properties as Record<string, Setting>);

const kinds = { string: 'text', integer: 'an integer', number: 'a number', boolean: 'true or false' };

/** A constraint of JSON Schema; the phrase continues "expected a number,". */
type Constraint = { phrase(limit: unknown): string; holds(value: unknown, limit: unknown): boolean };

const limited = (
  words: string,
  sizeOf: (value: unknown) => number,
  holds: (size: number, limit: number) => boolean,
) => ({
  phrase: (limit: unknown) => `${words} ${String(limit)}`,
  holds: (value: unknown, limit: unknown) => holds(sizeOf(value), Number(limit)),
});

const lengthOf = (value: unknown): number => String(value).length;

// Not checked by a library: loading one takes longer than reading the whole configuration.
const constraints: Record<string, Constraint> = {
  minimum: limited('at least', Number, (value, limit) => value >= limit),
  maximum: limited('at most', Number, (value, limit) => value <= limit),
  exclusiveMinimum: limited('more than', Number, (value, limit) => value > limit),
  exclusiveMaximum: limited('less than', Number, (value, limit) => value < limit),
  minLength: limited('length at least', lengthOf, (length, limit) => length >= limit),
  maxLength: limited('length at most', lengthOf, (length, limit) => length <= limit),
  format: {
    phrase: (name) => formatOf(name).phrase,
    holds: (value, name) => formatOf(name).holds(String(value)),
  },
  pattern: {
    phrase: (limit) => `matching ${String(limit)}`,
    holds: (value, limit) => new RegExp(String(limit), 'u').test(String(value)),
  },
};

const booleans = new Map([
  ...['1', 'true', 'yes', 'on'].map((word) => [word, true] as const),
  ...['0', 'false', 'no', 'off'].map((word) => [word, false] as const),
]);

/** Converts text to the type of a setting. Text of another form stays text, and `fits` refuses it. */
export function parseText(text: string, { type }: Setting): unknown {
  if (type === 'boolean') return booleans.get(text.toLowerCase()) ?? text;
  const isNumber = type === 'integer' || type === 'number';
  return isNumber && /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
}

export function fits(setting: Setting, value: unknown): boolean {
  if (setting.enum) return setting.enum.some((word) => word === value);
  return isA(setting.type ?? 'string', value) && limitsOf(setting).every(([{ holds }, limit]) => holds(value, limit));
}

function isA(type: keyof typeof kinds, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  return type === 'number' ? Number.isFinite(value) : typeof value === type;
}

const limitsOf = (setting: Setting): [Constraint, unknown][] =>
  Object.entries(constraints)
    .filter(([keyword]) => setting[keyword] !== undefined)
    .map(([keyword, constraint]) => [constraint, setting[keyword]]);

export function describeValue(text: string | undefined, { secret, format }: Setting): string {
  if (text === undefined) return 'is not set';
  if (!secret && !isShown(format)) return 'is set to something else';
  return secret ? 'is set to a secret that does not fit' : `is ${JSON.stringify(text)}`;
}

export function describeExpected(setting: Setting): string {
  const kind = setting.enum ? `one of ${setting.enum.join(', ')}` : kinds[setting.type ?? 'string'];
  const limits = limitsOf(setting).map(([{ phrase }, limit]) => phrase(limit));
  const meaning = setting.description ? ` (${setting.description})` : '';
  return [kind, ...limits].join(', ') + meaning;
}

/** A text format; the phrase continues "expected text,". */
type Format = { phrase: string; holds(text: string): boolean };

const formats: Record<string, Format> = {
  uri: { phrase: 'in the format uri', holds: (text) => URL.canParse(text) },
  proxies: {
    phrase: 'addresses or networks such as 10.0.0.0/8, but not all addresses',
    holds: (text) => partsOf(text).every((part) => (parseNetwork(part)?.bits ?? 0) > 0),
  },
  networks: {
    phrase: 'networks such as 100.64.0.0/10 or 2001:db8::/32',
    holds: (text) => partsOf(text).every((part) => part === '' || part === '*' || parseNetwork(part) !== undefined),
  },
  certificates: {
    phrase: 'PEM certificates, not the name of their file',
    holds: (text) => certificatesIn(text).length > 0,
  },
  'private key': {
    phrase: 'a PEM private key without a password, not the name of its file',
    holds: (text) => keyIn(text) !== undefined,
  },
};

function formatOf(name: unknown): Format {
  const format = formats[String(name)];
  if (!format) throw new Error(`The format ${String(name)} of a setting is unknown.`);
  return format;
}

/** Returns whether messages may show the value: PEM text may be a private key in the wrong place. */
const isShown = (format: unknown): boolean => format !== 'certificates' && format !== 'private key';

export function isKeyOf(key: string, chain: string): boolean {
  const [certificate] = certificatesIn(chain);
  const privateKey = keyIn(key);
  return certificate !== undefined && privateKey !== undefined && certificate.checkPrivateKey(privateKey);
}

const partsOf = (text: string): string[] => text.split(',').map((part) => part.trim());

const certificateBlock = /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs;

/** Returns no certificate if one of them is damaged. */
function certificatesIn(text: string): X509Certificate[] {
  try {
    return (text.match(certificateBlock) ?? []).map((block) => new X509Certificate(block));
  } catch {
    return [];
  }
}

function keyIn(text: string): KeyObject | undefined {
  try {
    return createPrivateKey(text);
  } catch {
    return undefined;
  }
}
