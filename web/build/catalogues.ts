import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plugin, parseAst } from 'vite';

const web = join(import.meta.dirname, '..');

// The files whose texts the home page needs, also without the platform.
export const firstPages = [
  'platform/main.tsx',
  'platform/now/now-page.tsx',
  'platform/now/carbon-tile.tsx',
  'platform/plan/next-card.tsx',
  'platform/silent-devices.tsx',
  'platform/offline/offline-page.tsx',
];

type Node = { type: string; arguments?: unknown[]; [field: string]: unknown };
type Catalogue = Readonly<Record<string, string>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** Lists a node and all nodes inside it. */
const nodesOf = (value: unknown): Node[] => {
  if (Array.isArray(value)) return value.flatMap(nodesOf);
  return isNode(value) ? [value, ...Object.values(value).flatMap(nodesOf)] : [];
};

export const parseSource = (file: string): unknown =>
  parseAst(readFileSync(file, 'utf8'), { lang: file.endsWith('x') ? 'tsx' : 'ts' }).body;

/** Returns the texts of the tables of a parsed file, which are the arguments of `texts(…)`. */
export function textsOf(body: unknown): string[] {
  const calls = nodesOf(body).filter(
    ({ type, callee }) => type === 'CallExpression' && isNode(callee) && callee.name === 'texts',
  );
  return calls.flatMap(({ arguments: [table] = [] }) => {
    if (!isNode(table) || !Array.isArray(table.properties)) throw new Error('A table of texts must be an object.');
    return table.properties.map(({ value }) => {
      if (typeof value?.value !== 'string') throw new Error('A text must be a string.');
      return value.value;
    });
  });
}

/** Returns the files that these files import at once, directly or through others, and the files themselves. */
export function filesOf(names: readonly string[]): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const add = (file: string): void => {
    if (found.has(file)) return;
    const body = parseSource(file);
    found.set(file, body);
    for (const { type, importKind, exportKind, source } of isBody(body) ? body : []) {
      if (!/^(Import|Export)/.test(type) || importKind === 'type' || exportKind === 'type' || !isNode(source)) continue;
      const name = String(source.value);
      if (!/^(\.|#contract\/).*\.tsx?$/.test(name)) continue;
      add(name.startsWith('#') ? join(web, '..', name.slice(1)) : join(file, '..', name));
    }
  };
  for (const name of names) add(join(web, name));
  return found;
}

const isBody = (value: unknown): value is Node[] => Array.isArray(value);

/** Splits a catalogue into the texts of the first pages, which are the strings of their files, and the others. */
export function splitCatalogue(catalogue: Catalogue): { first: Catalogue; rest: Catalogue } {
  const strings = new Set(
    [...filesOf(firstPages).values()]
      .flatMap(nodesOf)
      .flatMap(({ type, value }) => (type === 'Literal' ? [value] : [])),
  );
  const { first = [], rest = [] } = Object.groupBy(Object.entries(catalogue), ([text]) =>
    strings.has(text) ? 'first' : 'rest',
  );
  return { first: Object.fromEntries(first), rest: Object.fromEntries(rest) };
}

/** Provides each catalogue in two parts, `sv.json?first` and `sv.json?rest`, so that the home page is light. */
export function catalogues(): Plugin {
  return {
    name: 'catalogues',
    load(id) {
      const [file = '', part] = id.split('?');
      if (!file.endsWith('.json') || (part !== 'first' && part !== 'rest')) return undefined;
      const texts = splitCatalogue(JSON.parse(readFileSync(file, 'utf8')))[part];
      return { code: `export default ${JSON.stringify(texts)};`, moduleType: 'js' };
    },
  };
}
