import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { TObject } from 'typebox';
import { parseNetwork } from '../network.ts';

/** One setting of a program, as described by its schema. */
export type Setting = {
  type?: 'string' | 'integer' | 'number' | 'boolean';
  enum?: string[];
  default?: string | number | boolean;
  /** a phrase for messages, help and documents */
  description?: string;
  /** more sentences in Markdown, for documents only */
  note?: string;
  /** examples, if there is no default */
  examples?: (string | number)[];
  /** whether its value is hidden in messages */
  secret?: boolean;
  [constraint: string]: unknown;
};

export const settingsOf = (schema: TObject): [name: string, setting: Setting][] =>
  Object.entries(schema.properties as Record<string, Setting>);

const kinds = { string: 'text', integer: 'an integer', number: 'a number', boolean: 'true or false' };

type Constraint = { phrase(limit: unknown): string; holds(value: never, limit: never): boolean };

const phrased = (words: string) => (limit: unknown) => `${words} ${String(limit)}`;

// Not checked by a library: loading one takes longer than reading the whole configuration.
const constraints: Record<string, Constraint> = {
  minimum: { phrase: phrased('at least'), holds: (value: number, limit: number) => value >= limit },
  maximum: { phrase: phrased('at most'), holds: (value: number, limit: number) => value <= limit },
  exclusiveMinimum: { phrase: phrased('more than'), holds: (value: number, limit: number) => value > limit },
  exclusiveMaximum: { phrase: phrased('less than'), holds: (value: number, limit: number) => value < limit },
  minLength: { phrase: phrased('length at least'), holds: (value: string, limit: number) => value.length >= limit },
  maxLength: { phrase: phrased('length at most'), holds: (value: string, limit: number) => value.length <= limit },
  format: {
    phrase: (name) => formats[name as keyof typeof formats].phrase,
    holds: (value: string, name: keyof typeof formats) => formats[name].holds(value),
  },
  pattern: {
    phrase: phrased('matching'),
    holds: (value: string, limit: string) => new RegExp(limit, 'u').test(value),
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
  return (
    isA(setting.type ?? 'string', value) &&
    limitsOf(setting).every(([{ holds }, limit]) => holds(value as never, limit as never))
  );
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

const formats = {
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
} as const satisfies Record<string, Format>;

/** Returns whether messages may show the value: PEM text may be a private key in the wrong place. */
const isShown = (format: unknown): boolean => format !== 'certificates' && format !== 'private key';

export function isKeyOf(key: string, chain: string): boolean {
  const [certificate] = certificatesIn(chain);
  return certificate?.checkPrivateKey(keyIn(key)!) ?? false;
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
