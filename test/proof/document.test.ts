import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../source-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { isNamed, readFigure, writeFigures } from './document.ts';
import type { Proven } from './proof.ts';
import { proofs } from './proofs.ts';

const guarantees = readFileSync(join(root, 'docs/guarantees.md'), 'utf8');
const marks = [...guarantees.matchAll(/<!-- proof: (.+?) -->/g)].map(([, names]) => names!.split(' '));

test('every proof has an id of its own', () => {
  assert.equal(new Set(proofs.map(({ id }) => id)).size, proofs.length);
});

test('every proof belongs to one promise of docs/guarantees.md, and every mark there names one', () => {
  for (const proof of proofs) {
    assert.equal(marks.filter((names) => isNamed(names, proof)).length, 1, proof.id);
  }
  for (const name of marks.flat())
    assert.ok(
      proofs.some((proof) => isNamed([name], proof)),
      name,
    );
});

/** The rows between the marks of a document, with the text around them. */
const documentOf = (...rows: string[][]): string =>
  [
    '# Words',
    '',
    '<!-- proof: S8 S1 -->',
    '',
    '| Proof | What is counted | Tried | Failed | Planted bug | Of version |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    '',
    '<!-- end -->',
    '',
    'More words.',
    '',
  ].join('\n');

const known = ['S1', 'S8 P1', 'S8 XML', 'S9'].map((id) => ({ id, what: 'Frames', full: 1_000_000 }));
const untried = (id: string): string[] => [id, 'Frames', 'not yet tried in full on this version', '', '', ''];
const line = { tried: 1_000_000, failed: 0, in_full: true, planted_bug_caught: true };

test('figures are written between the marks, and can be read again', (t) => {
  const file = join(temporaryFolder(t), 'guarantees.md');
  writeFileSync(file, '# Words\n\n<!-- proof: S8 S1 -->\nearlier figures\n<!-- end -->\n\nMore words.\n');
  const proven: Proven[] = [
    { ...line, id: 'S8 P1', version: '0a1b2c3' },
    { ...line, id: 'S8 XML', tried: 50_000, in_full: false, planted_bug_caught: false, version: '0a1b2c3' },
  ];
  const written = documentOf(
    untried('S1'),
    ['S8 P1', 'Frames', '1 000 000', '0', 'noticed', '0a1b2c3'],
    ['S8 XML', 'Frames', '50 000 of 1 000 000', '0', 'not tried', '0a1b2c3'],
  );
  for (const time of ['once', 'twice']) {
    writeFigures(file, known, proven);
    assert.equal(readFileSync(file, 'utf8'), written, time);
  }
  for (const each of proven) assert.deepEqual(readFigure(file, each.id), each);
  assert.equal(readFigure(file, 'S1'), undefined);
  assert.equal(readFigure(file, 'S9'), undefined);
});

test('a bug that was not noticed is written and read as such', (t) => {
  const file = join(temporaryFolder(t), 'guarantees.md');
  writeFileSync(file, documentOf());
  writeFigures(file, known, [{ ...line, id: 'S1', failed: 1, planted_bug_caught: false, version: '0a1b2c3' }]);
  const row = ['S1', 'Frames', '1 000 000', '1', 'NOT noticed', '0a1b2c3'];
  assert.equal(readFileSync(file, 'utf8'), documentOf(row, untried('S8 P1'), untried('S8 XML')));
  assert.equal(readFigure(file, 'S1')?.planted_bug_caught, false);
});

test('a row without a new figure stays', (t) => {
  const file = join(temporaryFolder(t), 'guarantees.md');
  const old = ['S1', 'Earlier words', '1 000', '0', 'noticed'];
  writeFileSync(file, documentOf(old));
  writeFigures(file, known, [{ ...line, id: 'S8 XML' }]);
  const written = documentOf([...old, '-'], untried('S8 P1'), ['S8 XML', 'Frames', '1 000 000', '0', 'noticed', '-']);
  assert.equal(readFileSync(file, 'utf8'), written);
});
