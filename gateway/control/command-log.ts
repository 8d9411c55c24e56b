import { type FileHandle, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { dayMs } from '#contract/time.ts';
import { syncPath, writeAtomic } from '#lib/atomic-file.ts';
import type { Clock } from '#lib/clock.ts';
import { isMissingFile, undefinedIf } from '#lib/error-code.ts';
import type { Logger } from '#lib/log.ts';
import { type CommandStatus, maxClockSkewMs, type Subject } from './command.ts';

type Line = CommandStatus & { at: number; id?: string; sn?: string; subject?: Subject; issuedAt?: number };

type Accepted = { id: string | undefined; subject: Subject; issuedAt: number };

export type CommandLog = Awaited<ReturnType<typeof openCommandLog>>;

const retentionMs = dayMs;
const maxCommands = 2000;
const linesUntilRewrite = 4 * maxCommands;

/** Opens the log of the last day's commands: one line for each status, rewritten when it gets long. */
export async function openCommandLog(path: string, clock: Clock, log: Logger) {
  const outcomes = new Map<string, Line>();
  const newest = new Map<string, Line>();
  let writing = Promise.resolve();

  const keyOf = ({ sn, subject }: Pick<Line, 'sn' | 'subject'>): string => `${subject} ${sn}`;

  function newestOf(of: Pick<Line, 'sn' | 'subject'>): number | undefined {
    const { issuedAt } = newest.get(keyOf(of)) ?? {};
    return issuedAt !== undefined && issuedAt <= clock.now() + maxClockSkewMs ? issuedAt : undefined;
  }

  function remember(line: Line): void {
    if (line.id !== undefined) {
      const before = outcomes.get(line.id);
      outcomes.delete(line.id); // moves it to the end: the oldest is dropped first
      outcomes.set(line.id, { ...before, ...line, at: before?.at ?? line.at });
      const [oldest] = outcomes.keys();
      if (oldest !== undefined && outcomes.size > maxCommands) outcomes.delete(oldest);
    }
    if (line.issuedAt === undefined) return;
    if (line.issuedAt >= (newestOf(line) ?? 0)) newest.set(keyOf(line), line);
  }

  const read = await readLines(path);
  for (const line of read) if (clock.now() - line.at < retentionMs) remember(line);
  // Writes nothing yet: a gateway with a full disk has to start, if only to release the devices under control.
  let file: FileHandle | undefined = await open(path, 'a', 0o600);
  await syncPath(dirname(path));
  let lines = read.length;
  let mayBeCut = true; // the last line may be incomplete after a crash or a full disk
  let isTooLong = false;

  async function write(line: Line, isSynced: boolean): Promise<void> {
    const text = `${mayBeCut ? '\n' : ''}${JSON.stringify(line)}\n`;
    file ??= await open(path, 'a', 0o600);
    mayBeCut = true;
    await file.appendFile(text);
    mayBeCut = false;
    if (isSynced) await file.datasync();
    lines++;
  }

  /** Rewrites a long file. A failure loses nothing and is logged once. */
  async function shorten(): Promise<void> {
    if (lines < linesUntilRewrite) return;
    try {
      await rewrite();
      isTooLong = false;
    } catch (error) {
      if (!isTooLong) log.warn({ err: error }, 'failed to shorten the command log');
      isTooLong = true;
    }
  }

  async function rewrite(): Promise<void> {
    const kept = new Set([...outcomes.values(), ...newest.values()].filter(({ at }) => clock.now() - at < retentionMs));
    const full = file;
    file = undefined; // the next write opens the new file
    await full?.close();
    await writeAtomic(path, [...kept].map((line) => `${JSON.stringify(line)}\n`).join(''));
    lines = kept.size;
  }

  function append(line: Line, isSynced: boolean): Promise<void> {
    remember(line);
    const done = writing.then(() => write(line, isSynced));
    writing = done.then(shorten, () => {}); // the caller gets the error
    return done;
  }

  return {
    find(id: string): CommandStatus | undefined {
      const found = outcomes.get(id);
      return found && { status: found.status, ...(found.message && { message: found.message }) };
    },
    /** Returns the issue time of the newest accepted command, ignoring those of a clock that was ahead. */
    newest: (sn: string, subject: Subject) => newestOf({ sn, subject }),
    /** Returns when the command is on disk, so that a repeated delivery is recognised after a crash. */
    async accept(sn: string, { id, subject, issuedAt }: Accepted): Promise<void> {
      const line: Line = { at: clock.now(), ...(id !== undefined && { id }), sn, subject, issuedAt, status: 'queued' };
      try {
        await append(line, true);
      } catch (error) {
        if (id !== undefined) outcomes.delete(id); // a retry with this id is a new command
        throw error;
      }
    },
    outcome: (id: string, status: CommandStatus): Promise<void> => append({ at: clock.now(), id, ...status }, false),
    async close(): Promise<void> {
      await writing;
      await file?.close();
    },
  };
}

/** Skips lines that a crash has cut. */
async function readLines(path: string): Promise<Line[]> {
  const text = (await readFile(path, 'utf8').catch(undefinedIf(isMissingFile))) ?? '';
  return text.split('\n').flatMap((line): Line[] => {
    try {
      return line === '' ? [] : [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}
