import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PlanReplayCase } from '#contract/plan.ts';
import { parseTime } from '#contract/time.ts';
import { fieldErrors, validator } from '#lib/http/validate.ts';
import { checkProblem } from '#plan/check-problem.ts';
import { problemOf } from '#plan/rolling/replay.ts';
import type { Series } from '#plan/rolling/world.ts';
import { UsageError } from '../line/command.ts';

const isCase = validator(PlanReplayCase, 'body', 'ignore');
const numbers = ['load_w', 'solar_w', 'import_price', 'export_price', 'fixed_price'] as const;
const maxRows = 200_000;

/** Reads case.json and series.csv of a folder, and checks that they fit together. */
export async function readReplayFolder(folder: string): Promise<{ replayCase: PlanReplayCase; series: Series }> {
  const replayCase = parseCase(await readFile(join(folder, 'case.json'), 'utf8'));
  const series = parseSeries(await readFile(join(folder, 'series.csv'), 'utf8'));
  const errors = checkProblem(problemOf(replayCase, series, 0, series.load_w.length));
  if (errors.length > 0)
    throw new UsageError(
      `case.json is invalid.\n${errors.map(({ path, message }) => `${path} ${message}`).join('\n')}`,
    );
  const end = series.startMs + series.load_w.length * series.stepMs;
  const { evaluate_from, evaluate_to } = replayCase.replay;
  const [from, to] = [Date.parse(evaluate_from), Date.parse(evaluate_to)];
  if (!(from >= series.startMs && from < to && to <= end))
    throw new UsageError('replay.evaluate_from and replay.evaluate_to must be a time that series.csv covers.');
  return { replayCase, series };
}

function parseCase(text: string): PlanReplayCase {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`case.json is not JSON: ${(error as Error).message}.`);
  }
  if (isCase(value)) return value;
  const errors = fieldErrors('body', isCase.errors ?? []);
  const lines = errors.map(({ path, message }) => `${path.replace(/^body\.?/, '')} ${message}`.trim());
  throw new UsageError(`case.json is invalid.\n${lines.join('\n')}`);
}

function parseSeries(text: string): Series {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const header = (lines[0] ?? '').split(',').map((name) => name.trim());
  const column = (name: string): number => {
    const index = header.indexOf(name);
    if (index < 0) throw new UsageError(`series.csv has no column ${name}.`);
    return index;
  };
  const rows = lines.slice(1).map((line) => line.split(','));
  if (rows.length < 2 || rows.length > maxRows)
    throw new UsageError(`series.csv must have 2 to ${maxRows} rows, not ${rows.length}.`);
  const cell = (row: number, name: string): string => rows[row]![column(name)]?.trim() ?? '';
  const wrong = (row: number, name: string, must: string): UsageError =>
    new UsageError(`series.csv, line ${row + 2}: ${name} must be ${must}.`);
  const timeOf = (row: number, name: string): number => {
    const ms = parseTime(cell(row, name));
    if (ms === undefined) throw wrong(row, name, 'a time such as 2026-01-15T00:00:00+01:00');
    return ms;
  };
  const read = (name: (typeof numbers)[number]): Float64Array =>
    Float64Array.from(rows, (_, row) => {
      const value = Number(cell(row, name) || Number.NaN);
      if (!Number.isFinite(value)) throw wrong(row, name, 'a number');
      if (name.endsWith('_w') && value < 0) throw wrong(row, name, '0 or more');
      return value;
    });
  const startMs = timeOf(0, 'start');
  const stepMs = timeOf(1, 'start') - startMs;
  if (stepMs <= 0 || stepMs > 86_400_000) throw wrong(1, 'start', 'after the row before it');
  for (const row of rows.keys())
    if (timeOf(row, 'start') !== startMs + row * stepMs)
      throw wrong(row, 'start', `${stepMs / 1000} seconds after the row before it, as in the first rows`);
  const [load_w, solar_w, import_price, export_price, fixed_price] = numbers.map(read) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const priceKnownAt = Float64Array.from(rows, (_, row) => timeOf(row, 'price_known_at'));
  return { startMs, stepMs, load_w, solar_w, import_price, export_price, priceKnownAt, fixed_price };
}
