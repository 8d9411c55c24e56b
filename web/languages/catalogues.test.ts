import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { suite, test } from 'node:test';
import { publicDeviceTypes } from '#contract/der.ts';
import { planMessages } from '#contract/gateway-plan.ts';
import { planSentences } from '#contract/plan-sentences.ts';
import { telemetryFields } from '#contract/telemetry.ts';
import { whatIfSentences } from '#contract/what-if-sentences.ts';
import { isForTests } from '#test/source-files.ts';
import { filesOf, firstPages, parseSource, splitCatalogue, textsOf } from '../build/catalogues.ts';
import { languages } from '../parts/text.ts';
import { words } from '../parts/words.ts';

const web = join(import.meta.dirname, '..');

const sources = globSync('*/**/*.{ts,tsx}', { cwd: web, exclude: ['dist'] });
const pageTexts = sources.filter((file) => !isForTests(file)).flatMap((file) => textsOf(parseSource(join(web, file))));
const contractTexts = [
  ...publicDeviceTypes.map(({ display_name }) => display_name),
  ...telemetryFields.map(({ description }) => description),
  ...Object.values(planSentences),
  ...Object.values(planMessages),
  ...Object.values(whatIfSentences),
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

    test('has the texts of the home page in its first part, and each text in one part', () => {
      const { first, rest } = splitCatalogue(catalogue);
      const pages = [...filesOf(firstPages)].filter(([file]) => file.startsWith(web)); // `texts` of the contract are fields
      const shown = [...pages.flatMap(([, body]) => textsOf(body)), ...Object.values(words)];
      assert.deepEqual(
        shown.filter((text) => !first[text]),
        [],
      );
      assert.deepEqual([...Object.keys(first), ...Object.keys(rest)].toSorted(), Object.keys(catalogue).toSorted());
      assert.ok(shown.length > 100 && Object.keys(first).length < texts.size / 3, `${Object.keys(first).length} texts`);
    });
  });
}
