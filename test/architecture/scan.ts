import { posix } from 'node:path';

export interface Source {
  path: string;
  text: string;
}

export interface Import {
  from: string;
  line: number;
  specifier: string;
  /** The file it refers to, if it is one of ours. */
  target: string | undefined;
}

const commentOrString = /\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/g;
const importing = /\bfrom\s*(['"])( +)\1|\bimport\s*\(?\s*(['"])( +)\3/g;

/** The text with comments and the insides of strings blanked. Every character keeps its place. */
export function codeOf(text: string): string {
  return text.replace(commentOrString, (found) => {
    const quote = found[0]!;
    if (quote === '/') return blank(found);
    if (quote !== '`') return quote + blank(found.slice(1, -1)) + quote;
    return found.replace(/\$\{[^}]*\}|[\s\S]/g, (part) => (part.length > 1 ? part : blank(part)));
  });
}

const codeIn = once(({ text }: Source) => codeOf(text));

export const importsOf = once((source: Source): Import[] => {
  const { path, text } = source;
  return [...codeIn(source).matchAll(importing)].map((found) => {
    const end = found.index + found[0].length - 1;
    const specifier = text.slice(end - (found[2] ?? found[4])!.length, end);
    return { from: path, line: lineAt(text, found.index), specifier, target: resolve(path, specifier) };
  });
});

/** Where a pattern occurs in the code of a file, outside comments and strings. */
export function linesWith(pattern: RegExp, source: Source): number[] {
  const found = [...codeIn(source).matchAll(new RegExp(pattern, 'g'))];
  return found.map(({ index }) => lineAt(source.text, index));
}

export const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;

// package.json maps every #folder/ to the folder of that name.
function resolve(path: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier);
  return undefined;
}

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/** Every rule looks at the same files, so results are computed once per file. */
function once<Value>(workOut: (source: Source) => Value): (source: Source) => Value {
  const known = new WeakMap<Source, Value>();
  return (source) => {
    const value = known.get(source) ?? workOut(source);
    known.set(source, value);
    return value;
  };
}
