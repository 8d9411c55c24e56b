import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readLoadCsv, readLoadCurve } from './load-curve.ts';

suite('a load curve as CSV', () => {
  test('is read by its header', () => {
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
      says: 'with a word for a number',
      text: 'start,import_kwh\n2026-01-15T10:00Z,much\n',
      refusal: /line 2.import_kwh/,
    },
    { says: 'with a hole', text: 'start,import_kwh\n2026-01-15T10:00Z,\n', refusal: /line 2.import_kwh/ },
  ]) {
    test(`${says} is refused`, () =>
      assert.throws(() => readLoadCsv(text), { code: 'unprocessable', message: refusal }));
  }
});

suite('a load curve', () => {
  const hour = (start: string, end?: string) => ({ start, ...(end && { end }), import_kwh: 1 });

  test('without ends has intervals as long as the shortest distance', () => {
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

  test('of one interval is of an hour', () => {
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
      says: 'that overlaps itself',
      intervals: [
        hour('2026-01-15T10:00:00Z', '2026-01-15T11:00:00Z'),
        hour('2026-01-15T10:30:00Z', '2026-01-15T11:00:00Z'),
      ],
      refusal: /intervals.1.start.*before the end/,
    },
    {
      says: 'of odd lengths',
      intervals: [hour('2026-01-15T10:00:00Z', '2026-01-15T10:20:00Z')],
      refusal: /intervals.0.end/,
    },
    { says: 'of odd starts', intervals: [hour('2026-01-15T10:05:00Z')], refusal: /intervals.0.start: must be aligned/ },
    { says: 'of local times', intervals: [hour('2026-01-15T10:00:00')], refusal: /with an offset/ },
  ]) {
    test(`${says} is refused`, () => {
      assert.throws(() => readLoadCurve(intervals), { code: 'unprocessable', message: refusal });
    });
  }
});
