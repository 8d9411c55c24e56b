const maxDepth = 32;
const usualMaxKeys = 1000;
const maxFiniteDigits = 308; // without an exponent a number of so many digits is below 1.8e308
const dangerousKeys = new Set(['__proto__', 'constructor', 'prototype']);

export class JsonError extends Error {
  override name = 'JsonError';
  readonly path: string; // where, as a JSON pointer

  constructor(message: string, path = '') {
    super(message);
    this.path = path;
  }
}

type Container = { keys: Set<string> | undefined; at: string | number }; // an array has no keys

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }); // keeps the mark in the text, so that it can be refused

/** Returns whether a value is an object of named values, not an array. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses hostile JSON: also refuses what some parsers accept and others read differently, such as duplicate keys. */
export function parseJson(bytes: Uint8Array | string, maxKeys = usualMaxKeys): unknown {
  const text = typeof bytes === 'string' ? bytes : decode(bytes);
  if (text.startsWith('\uFEFF')) throw new JsonError('The JSON text begins with a byte order mark.');
  if (text.trim() === '') throw new JsonError('The JSON text is empty.');
  try {
    inspect(text, maxKeys);
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const place = /line \d+ column \d+/.exec(error.message);
    throw new JsonError(place ? `The text is not valid JSON at ${place[0]}.` : 'The text is not valid JSON.');
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new JsonError('The JSON text is not valid UTF-8.');
  }
}

/** Checks depth, keys and numbers only; `JSON.parse` checks the syntax. */
function inspect(text: string, maxKeys: number): void {
  const open: Container[] = [];
  let inside: Container | undefined;
  let isKeyNext = false;
  let keyCount = 0;

  const fail = (sentence: string): never => {
    throw new JsonError(sentence, pointerTo(open));
  };

  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    switch (char) {
      case '{':
      case '[':
        if (open.length === maxDepth) fail(`The JSON text is nested deeper than ${maxDepth} levels.`);
        isKeyNext = char === '{';
        inside = isKeyNext ? { keys: new Set(), at: '' } : { keys: undefined, at: 0 };
        open.push(inside);
        break;
      case '}':
      case ']':
        open.pop();
        inside = open.at(-1);
        isKeyNext = false;
        break;
      case ',':
        isKeyNext = inside?.keys !== undefined;
        if (typeof inside?.at === 'number') inside.at += 1;
        break;
      case '"': {
        const end = endOfString(text, i);
        if (isKeyNext && inside?.keys) {
          const key = keyOf(text.slice(i, end + 1));
          inside.at = key;
          if (++keyCount > maxKeys) fail(`The JSON text has more than ${maxKeys} keys.`);
          if (inside.keys.has(key)) fail('The key appears twice in one object.');
          if (dangerousKeys.has(key)) fail('The key is not allowed.');
          inside.keys.add(key);
          isKeyNext = false;
        }
        i = end;
        break;
      }
      default:
        if (char === '-' || (char >= '0' && char <= '9')) {
          const end = endOfNumber(text, i);
          if (isInfinite(text.slice(i, end))) fail('The number is too large.');
          i = end - 1;
        }
    }
  }
}

function pointerTo(open: Container[]): string {
  return open.map(({ at }) => `/${String(at).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '"') return i;
    if (text[i] === '\\') i += 1;
  }
  return text.length;
}

function keyOf(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return JSON.parse(quoted);
  } catch {
    return quoted; // JSON.parse of the whole text reports where the escape is wrong
  }
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && '0123456789.eE+-'.includes(text.charAt(end))) end += 1;
  return end;
}

function isInfinite(number: string): boolean {
  if (number.length <= maxFiniteDigits && !/e/i.test(number)) return false;
  return Math.abs(Number(number)) === Number.POSITIVE_INFINITY;
}
