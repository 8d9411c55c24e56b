import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, Script } from 'node:vm';
import { parseSync, Visitor } from 'vite';
import { isForTests, root, sourceFiles } from '../../source-files.ts';

export type Found = { file: string; pattern: string; flags: string };

const product = /^(cloud|contract|gateway|lib|price|stack|web)\//;

/** Lists every regular expression in the source of the product. */
export function literalExpressions(): Found[] {
  return sourceFiles()
    .filter((file) => product.test(file) && !isForTests(file) && file !== 'web/vite.config.ts')
    .flatMap((file) => expressionsIn(file, readFileSync(join(root, file), 'utf8')));
}

export function expressionsIn(file: string, text: string): Found[] {
  const found: Found[] = [];
  const visitor = new Visitor({
    Literal(node) {
      if ('regex' in node) found.push({ file, ...node.regex });
    },
  });
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  visitor.visit(program);
  return found;
}

const mostPieces = 8;
const escapes: Record<string, string> = {
  d: '0',
  D: 'x',
  w: 'a',
  W: ' ',
  s: ' ',
  S: 'x',
  b: '',
  B: '',
  n: '\n',
  r: '\r',
  t: '\t',
  0: '\0',
};

/** Characters that an expression mentions: one for each of its classes, and its own. */
function piecesOf(pattern: string): string[] {
  const spoken = pattern
    .replaceAll(/\\u\{?[0-9a-f]+\}?|\\x[0-9a-f]{2}|\\p\{\w+\}/gi, 'a')
    .replaceAll(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter)
    .replaceAll(/\(\?(?:<?[=!:]|<\w+>)|\{\d*,?\d*\}/g, '')
    .replaceAll(/(\w)-\w/g, '$1');
  const own = [...spoken].filter((letter) => !'()[]|?*+^$'.includes(letter) || pattern.includes(`\\${letter}`));
  return [...new Set([...own, ...'a0 "', '\n'])].slice(0, mostPieces);
}

/** Texts of this length that cause backtracking: repeated pieces with an end that does not match. */
export function worstTexts(pattern: string, length: number): Iterable<string> {
  return { [Symbol.iterator]: () => textsOf(pattern, length) };
}

function* textsOf(pattern: string, length: number): Generator<string> {
  const pieces = piecesOf(pattern);
  const pumps = [...pieces, ...pieces.flatMap((one) => pieces.map((other) => one + other))];
  for (const pump of new Set(pumps)) {
    const body = pump.repeat(Math.ceil(length / pump.length)).slice(0, length);
    yield body;
    yield `${body}\u{1}`;
  }
}

const search = new Script('expression.lastIndex = 0; expression.test(text)');
const searchAll = new Script(`
  Array.from(texts).filter((text) => {
    const beganMs = now();
    expression.lastIndex = 0;
    expression.test(text);
    return now() - beganMs > mostMs;
  })`);
const world = createContext({ now: () => performance.now() });
const patienceMs = 100;
const patienceWithAllMs = 500;

/** Texts that may take longer than this; each is then tried alone, since a search that is stopped costs its thread. */
export function suspects(expression: RegExp, texts: Iterable<string>, mostMs: number): Iterable<string> {
  Object.assign(world, { expression, texts, mostMs });
  try {
    return searchAll.runInContext(world, { timeout: patienceWithAllMs });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return texts;
  }
}

/** Processor time of a search in ms, or until it was stopped; the best of a few runs, since other work shares this thread. */
export function searchMs(expression: RegExp, text: string, enoughMs: number): number {
  Object.assign(world, { expression, text });
  let best = Number.POSITIVE_INFINITY;
  for (let searches = 0; searches < 4 && best > enoughMs; ) {
    const { ms, isOver } = searchOnce();
    if (!isOver && ms <= enoughMs) continue; // other processes had the processor
    best = Math.min(best, ms);
    searches += isOver ? 1 : 2;
  }
  return best;
}

function searchOnce(): { ms: number; isOver: boolean } {
  const before = process.threadCpuUsage();
  const msSince = (): number => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
  try {
    search.runInContext(world, { timeout: patienceMs });
    return { ms: msSince(), isOver: true };
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return { ms: msSince(), isOver: false };
  }
}

const isTimeout = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
