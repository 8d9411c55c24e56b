import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Empty } from './text-rows.ts';
import { csvHead, csvRows, measuredNames } from './text-rows.ts';

const absent = Number.NaN;

async function written(at: number[], fields: Record<string, number[]>, empty: Empty = 'kept'): Promise<string> {
  const columns = Object.entries(fields).map(([name, values]) => [name, Float64Array.from(values)] as const);
  const readings = { at: Float64Array.from(at), fields: new Map(columns) };
  const names = measuredNames(readings);
  const { bytes } = await csvRows(readings, names, { empty });
  return csvHead(names) + Buffer.from(bytes).toString();
}

test('a field name with a comma or a quote is quoted, and one like a formula is escaped', async () => {
  const csv = await written([0], { W: [1], 'a,b': [2], 'say "c"': [3], '=1+1': [-4] });
  assert.equal(csv, `timestamp,'=1+1,W,"a,b","say ""c"""\n1970-01-01T00:00:00.000Z,-4,1,2,3\n`);
});

test('absent values are empty cells, and a field without values has no column', async () => {
  assert.equal(
    await written([0, 1, 2], { W: [1.5, absent, absent], Hz: [absent, 50, absent], V: [absent, absent, absent] }),
    'timestamp,Hz,W\n1970-01-01T00:00:00.000Z,,1.5\n1970-01-01T00:00:00.001Z,50,\n1970-01-01T00:00:00.002Z,,\n',
  );
});

test('rows without a number are dropped on request', async () => {
  assert.equal(await written([0, 1], { W: [absent, -7] }, 'dropped'), 'timestamp,W\n1970-01-01T00:00:00.001Z,-7\n');
  assert.equal(await written([], {}), 'timestamp\n');
});
