import { once } from 'node:events';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Resolution } from '#contract/cloud/telemetry.ts';
import { formatTime } from '#contract/time.ts';
import { syncPath } from '#lib/atomic-file.ts';
import type { Shell } from '../line/command.ts';
import type { HistoryReader, Row } from './history.ts';
import { slicesOf, type TimeRange } from './history.ts';

/** How rows are written: a header and a line for each row. */
export type RowFormat = { head: string; line(row: Row): string };

export const csvOf = (columns: readonly string[]): RowFormat => ({
  head: `${['timestamp', ...columns].join(',')}\n`,
  line: (row) => `${[formatTime(row.timestamp), ...columns.map((column) => row[column] ?? '')].join(',')}\n`,
});

export const jsonLines: RowFormat = { head: '', line: (row) => `${JSON.stringify(row)}\n` };

type CopyJob = {
  history: HistoryReader;
  range: TimeRange;
  resolution: Resolution;
  fields: string | undefined;
  form: RowFormat;
  file: ExportFile;
  signal: AbortSignal;
};

/** Copies the history one slice at a time, to bound memory; a bucket that two slices share is written once. Returns the row count. */
export async function copyHistory(
  { history, range, resolution, fields, form, file, signal }: CopyJob,
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

type ExportFile = {
  write(text: string): Promise<void>;
  finish(): Promise<void>;
  discard(): Promise<void>;
};

/** Opens a file that gets its name only when it is complete. */
export async function openExportFile(path: string): Promise<ExportFile> {
  const temporary = `${path}.${process.pid}.tmp`;
  const file = await open(temporary, 'w');
  return {
    write: (text) => file.appendFile(text),
    async finish() {
      await file.sync();
      await file.close();
      await rename(temporary, path);
      await syncPath(dirname(path));
    },
    async discard() {
      await file.close();
      await rm(temporary, { force: true });
    },
  };
}

/** Writes to standard output and waits while its reader is slow. */
export const standardOutput = ({ stdout }: Shell): ExportFile => ({
  async write(text) {
    if (!stdout.write(text)) await once(stdout, 'drain');
  },
  async finish() {},
  async discard() {},
});
