import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join, posix } from 'node:path';

// How our files name each other: in imports, and where a thread or a process is started from a file.
const ourFile = /(?<=['"])(?:\.\.?|#[a-z]+)\/[\w./-]+\.ts(?=['"])/g;

/** Compiles these files and all that they load. Types become blanks, so that errors name lines and columns of the source. */
export function compile(root: string, entries: readonly string[]): Map<string, string> {
  const compiled = new Map<string, string>();
  const waiting = [...entries];
  for (let path = waiting.pop(); path; path = waiting.pop()) {
    if (compiled.has(path)) continue;
    const script = stripTypeScriptTypes(readFileSync(join(root, path), 'utf8')).replaceAll(/ +$/gm, '');
    compiled.set(path, nameScripts(script));
    for (const [name] of script.matchAll(ourFile)) waiting.push(pathOf(name, path));
  }
  return compiled;
}

const pathOf = (name: string, from: string): string =>
  name.startsWith('#') ? name.slice(1) : posix.join(posix.dirname(from), name);

/** The same text, naming the files as they are called in the package. */
export const nameScripts = (text: string): string => text.replace(ourFile, scriptOf);

export const scriptOf = (path: string): string => path.replace(/\.ts$/, '.js');
