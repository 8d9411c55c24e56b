import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readLoadCsv, readLoadCurve } from './load-curve.ts';

suite('a load curve as CSV', () => {
  test('is read according to its header', () => {
    const { intervals } = readLoadCsv(
      'start,import_kwh,export_kwh\n2026-01-15T10:00Z,1.5,0\n2026-01-15T11:00Z,2,0.25\n',
    );
    assert.deepEqual(intervals, [
      { start: '2026-01-15T10:00Z', import_kwh: 1.5, export_kwh: 0 },
      { start: '2026-01-15T11:00Z', import_kwh: 2, export_kwh: 0.25 },
    ]);
  });

  test('with semicolons has decimal commas, as a Swedish spreadsheet writes it', () => {
    const text =
      '\uFEFF"start";"end";"import_kwh"\r\n"2026-01-15T10:00:00+01:00";"2026-01-15T11:00:00+01:00";"1,25"\r\n';
    assert.deepEqual(readLoadCsv(text).intervals, [
      { start: '2026-01-15T10:00:00+01:00', end: '2026-01-15T11:00:00+01:00', import_kwh: 1.25 },
    ]);
  });

  for (const { says, text, refusal } of [
    { says: 'without a header', text: '2026-01-15T10:00Z,1', refusal: /first line must name columns/ },
    { says: 'with an unknown column', text: 'start,import_kwh,price\n', refusal: /first line must name/ },
    { says: 'without energy', text: 'start,export_kwh\n', refusal: /first line must name/ },
    {
      says: 'with text instead of a number',
      text: 'start,import_kwh\n2026-01-15T10:00Z,much\n',
      refusal: /line 2.import_kwh/,
    },
    { says: 'with a missing value', text: 'start,import_kwh\n2026-01-15T10:00Z,\n', refusal: /line 2.import_kwh/ },
  ]) {
    test(`${says} is refused`, () =>
      assert.throws(() => readLoadCsv(text), { code: 'unprocessable', message: refusal }));
  }
});

suite('a load curve', () => {
  const hour = (start: string, end?: string) => ({ start, ...(end && { end }), import_kwh: 1 });

  test('without ends has intervals as long as the shortest distance of two starts', () => {
    const loads = readLoadCurve([
      hour('2026-01-15T10:00:00Z'),
      hour('2026-01-15T11:00:00Z'),
      hour('2026-01-15T11:15:00Z'),
    ]);
    assert.deepEqual(
      loads.map(({ start, end }) => (end - start) / 60_000),
      [15, 15, 15],
    );
  });

  test('with one interval lasts an hour', () => {
    const [load] = readLoadCurve([hour('2026-01-15T10:00:00Z')]);
    assert.equal(load!.end - load!.start, 3_600_000);
  });

  for (const { says, intervals, refusal } of [
    {
      says: 'out of order',
      intervals: [hour('2026-01-15T11:00:00Z'), hour('2026-01-15T10:00:00Z')],
      refusal: /15, 30 or 60/,
    },
    {
      says: 'with overlapping intervals',
      intervals: [
        hour('2026-01-15T10:00:00Z', '2026-01-15T11:00:00Z'),
        hour('2026-01-15T10:30:00Z', '2026-01-15T11:00:00Z'),
      ],
      refusal: /intervals.1.start.*before the end/,
    },
    {
      says: 'with other interval lengths',
      intervals: [hour('2026-01-15T10:00:00Z', '2026-01-15T10:20:00Z')],
      refusal: /intervals.0.end/,
    },
    {
      says: 'with unaligned starts',
      intervals: [hour('2026-01-15T10:05:00Z')],
      refusal: /intervals.0.start: must be aligned/,
    },
    { says: 'with times without an offset', intervals: [hour('2026-01-15T10:00:00')], refusal: /with an offset/ },
  ]) {
    test(`${says} is refused`, () => {
      assert.throws(() => readLoadCurve(intervals), { code: 'unprocessable', message: refusal });
    });
  }
});
