import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../source-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { isNamed, writeFigures } from './document.ts';
import { proofs } from './proofs.ts';

const guarantees = readFileSync(join(root, 'docs/guarantees.md'), 'utf8');
const marks = [...guarantees.matchAll(/<!-- proof: (.+?) -->/g)].map(([, names]) => names!.split(' '));

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

test('only figures of complete trials are written between the marks', (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'guarantees.md');
  const table = (...rows: string[]): string =>
    ['# Words', '', '<!-- proof: S8 S1 -->', ...rows, '<!-- end -->', '', 'More words.', ''].join('\n');
  writeFileSync(file, table('earlier figures'));
  const [what, planted_bug_caught, seconds, failed] = ['Frames', true, 1, 0];
  const known = ['S1', 'S8 P1', 'S8 XML', 'S9'].map((id) => ({ id, what, full: 10 }));
  const line = { what, failed, planted_bug_caught, seconds };
  const proven = [
    { ...line, id: 'S8 P1', tried: 1_000_000, in_full: true, version: '0a1b2c3' },
    { ...line, id: 'S8 XML', tried: 3, in_full: false },
  ];
  const written = table(
    '',
    '| Proof | What is counted | Tried | Failed | Planted bug | Of version |',
    '| --- | --- | --- | --- | --- | --- |',
    '| S1 | Frames | not yet tried in full on this version |  |  |  |',
    '| S8 P1 | Frames | 1 000 000 | 0 | noticed | 0a1b2c3 |',
    '| S8 XML | Frames | not yet tried in full on this version |  |  |  |',
    '',
  );
  for (const time of ['once', 'twice']) {
    writeFigures(file, known, proven);
    assert.equal(readFileSync(file, 'utf8'), written, time);
  }
});

test('a row without a new figure stays', (t) => {
  const file = join(temporaryFolder(t), 'guarantees.md');
  const text = [
    '<!-- proof: S8 -->',
    '',
    '| Proof | What is counted | Tried | Failed | Planted bug | Of version |',
    '| --- | --- | --- | --- | --- | --- |',
    '| S8 P1 | Frames | 1 000 | 0 | noticed | 0a1b2c3 |',
    '| S8 XML | Frames | 2 000 | 0 | noticed | - |',
    '| S8 CSV | Frames | not yet tried in full on this version |  |  |  |',
    '',
    '<!-- end -->',
    '',
  ].join('\n');
  writeFileSync(file, text);
  const known = ['S8 P1', 'S8 XML', 'S8 CSV'].map((id) => ({ id, what: 'Frames', full: 10 }));
  writeFigures(file, known, []);
  assert.equal(readFileSync(file, 'utf8'), text);

  const line = { what: 'Frames', failed: 0, planted_bug_caught: true, seconds: 1 };
  const proven = [
    { ...line, id: 'S8 P1', tried: 10, in_full: false },
    { ...line, id: 'S8 XML', tried: 3_000, in_full: true },
  ];
  writeFigures(file, known, proven);
  assert.equal(readFileSync(file, 'utf8'), text.replace('2 000', '3 000'));
});

test('a row without a version gets a dash', (t) => {
  const file = join(temporaryFolder(t), 'guarantees.md');
  const rowWith = (...cells: string[]): string => `| ${cells.join(' | ')} |`;
  const old = rowWith('S8 P1', 'Frames', '1 000', '0', 'noticed');
  writeFileSync(file, ['<!-- proof: S8 -->', '', old, '', '<!-- end -->', ''].join('\n'));
  writeFigures(file, [{ id: 'S8 P1', what: 'Frames', full: 10 }], []);
  assert.ok(readFileSync(file, 'utf8').includes(rowWith('S8 P1', 'Frames', '1 000', '0', 'noticed', '-')));
});
