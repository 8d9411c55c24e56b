import type { Resolution } from '#contract/cloud/telemetry.ts';
import { formatTime } from '#contract/time.ts';
import type { ExportFile } from './export-file.ts';
import type { History, Row } from './history.ts';
import { type Slice, slicesOf } from './slices.ts';

/** How rows are written. */
export type Form = { head: string; line(row: Row): string };

export const csvOf = (columns: readonly string[]): Form => ({
  head: `${['timestamp', ...columns].join(',')}\n`,
  line: (row) => `${[formatTime(row.timestamp), ...columns.map((column) => row[column] ?? '')].join(',')}\n`,
});

export const jsonLines: Form = { head: '', line: (row) => `${JSON.stringify(row)}\n` };

type Copying = {
  history: History;
  range: Slice;
  resolution: Resolution;
  fields: string | undefined;
  form: Form;
  file: ExportFile;
  signal: AbortSignal;
};

/** Slice after slice, so that no more than one is held; a bucket that two of them share is written once. */
export async function copyHistory(
  { history, range, resolution, fields, form, file, signal }: Copying,
  show: (done: number) => void,
): Promise<number> {
  let count = 0;
  let last = Number.NEGATIVE_INFINITY;
  await file.write(form.head);
  for (const slice of slicesOf(range, resolution)) {
    show((slice.from - range.from) / (range.to - range.from));
    const { rows } = await history({ ...slice, resolution, fields }, signal);
    const fresh = rows.filter(({ timestamp }) => timestamp > last);
    await file.write(fresh.map(form.line).join(''));
    count += fresh.length;
    last = fresh.at(-1)?.timestamp ?? last;
  }
  show(1);
  return count;
}
