import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pointsCsv } from './csv.ts';

test('a field whose name has a comma or a quote in it is one column', () => {
  const csv = pointsCsv([{ timestamp: 0, W: 1, 'a,b': 2, 'say "c"': 3 }]);
  assert.equal(csv, 'timestamp,W,"a,b","say ""c"""\n1970-01-01T00:00:00.000Z,1,2,3\n');
});
