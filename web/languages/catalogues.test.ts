import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { suite, test } from 'node:test';
import { parseAst } from 'vite';
import { publicDeviceTypes } from '#contract/der.ts';
import { telemetryFields } from '#contract/telemetry.ts';
import { isForTests } from '#test/source-files.ts';
import { languages } from '../parts/text.ts';
import { words } from '../parts/words.ts';

const web = join(import.meta.dirname, '..');

type Node = { type: string; arguments?: unknown[]; [field: string]: unknown };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** Lists a node and all nodes inside it. */
const nodesOf = (value: unknown): Node[] => {
  if (Array.isArray(value)) return value.flatMap(nodesOf);
  return isNode(value) ? [value, ...Object.values(value).flatMap(nodesOf)] : [];
};

/** Returns the texts of the tables of a source file, which are the arguments of `texts(…)`. */
function textsOf(file: string): string[] {
  const source = readFileSync(join(web, file), 'utf8');
  const calls = nodesOf(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }).body).filter(
    ({ type, callee }) => type === 'CallExpression' && isNode(callee) && callee.name === 'texts',
  );
  return calls.flatMap(({ arguments: [table] = [] }) => {
    assert.ok(isNode(table) && Array.isArray(table.properties), 'a table of texts is an object');
    return table.properties.map(({ value }) => {
      assert.equal(typeof value?.value, 'string', 'a text is a string');
      return String(value.value);
    });
  });
}

const sources = globSync('*/**/*.{ts,tsx}', { cwd: web, exclude: ['dist'] });
const pageTexts = sources.filter((file) => !isForTests(file)).flatMap(textsOf);
const contractTexts = [
  ...publicDeviceTypes.map(({ display_name }) => display_name),
  ...telemetryFields.map(({ description }) => description),
];
const texts = new Set([...pageTexts, ...Object.values(words), ...contractTexts]);

const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();

const files = globSync('*.json', { cwd: import.meta.dirname });

test('every language except English has a catalogue', () => {
  assert.ok(pageTexts.length > 1000, `${pageTexts.length} texts`);
  assert.deepEqual(['en', ...files.map((file) => basename(file, '.json'))].toSorted(), [...languages].toSorted());
});

for (const file of files) {
  const catalogue: Record<string, string> = JSON.parse(readFileSync(join(import.meta.dirname, file), 'utf8'));

  suite(`the catalogue ${file}`, () => {
    test('has every text', () => {
      assert.deepEqual(
        [...texts].filter((text) => !catalogue[text]),
        [],
      );
    });

    test('has no other text', () => {
      assert.deepEqual(
        Object.keys(catalogue).filter((text) => !texts.has(text)),
        [],
      );
    });

    test('has the placeholders of the English texts', () => {
      for (const [text, translation] of Object.entries(catalogue)) {
        assert.deepEqual(placeholders(translation), placeholders(text), text);
      }
    });
  });
}
