import type { TObject } from 'typebox';
import { formats, isShown } from './formats.ts';

/** One setting of a program, as its schema describes it. */
export type Setting = {
  type?: 'string' | 'integer' | 'number' | 'boolean';
  enum?: string[];
  default?: string | number | boolean;
  /** a phrase, for messages, help and documents */
  description?: string;
  /** further sentences in Markdown, for documents only */
  note?: string;
  /** what it may look like, where there is no default to show it */
  examples?: (string | number)[];
  /** its value appears in no message */
  secret?: boolean;
  [constraint: string]: unknown;
};

export const settingsOf = (schema: TObject): [name: string, setting: Setting][] =>
  Object.entries(schema.properties as Record<string, Setting>);

const kinds = { string: 'text', integer: 'an integer', number: 'a number', boolean: 'true or false' };

type Constraint = { phrase(limit: unknown): string; holds(value: never, limit: never): boolean };

const phrased = (words: string) => (limit: unknown) => `${words} ${String(limit)}`;

// Checked here and not by a library: a start would wait for it longer than for all the rest of this.
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

/** Text that does not fit the type stays text, for the check to refuse. */
export function parseText(text: string, { type }: Setting): unknown {
  if (type === 'boolean') return booleans.get(text.toLowerCase()) ?? text;
  const isNumber = type === 'integer' || type === 'number';
  return isNumber && /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
}

export function fits(setting: Setting, value: unknown): boolean {
  if (setting.enum) return setting.enum.includes(value as string);
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

export function givenAs(text: string | undefined, { secret, format }: Setting): string {
  if (text === undefined) return 'is not set';
  if (!secret && !isShown(format)) return 'is set to something else';
  return secret ? 'is set to a secret that does not fit' : `is ${JSON.stringify(text)}`;
}

export function expectedBy(setting: Setting): string {
  const kind = setting.enum ? `one of ${setting.enum.join(', ')}` : kinds[setting.type ?? 'string'];
  const limits = limitsOf(setting).map(([{ phrase }, limit]) => phrase(limit));
  const meaning = setting.description ? ` (${setting.description})` : '';
  return [kind, ...limits].join(', ') + meaning;
}
