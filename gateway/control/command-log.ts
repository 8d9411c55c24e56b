import { type FileHandle, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { dayMs } from '#contract/time.ts';
import { syncFolder, writeAtomic } from '#lib/atomic-file.ts';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import { futureMs, type Said, type Status, type Subject } from './command.ts';

type Line = {
  at: number;
  id?: string;
  sn?: string;
  subject?: Subject;
  issuedAt?: number;
  status: Status;
  message?: string;
};

export type CommandLog = {
  /** what became of the command with this id */
  find(id: string): Said | undefined;
  /** when the newest command that was accepted for this was issued, unless by a clock that was ahead */
  newest(sn: string, subject: Subject): number | undefined;
  /** On disk when it returns: a command that was accepted once is never taken for a new one. */
  accept(sn: string, command: { id: string | undefined; subject: Subject; issuedAt: number }): Promise<void>;
  outcome(id: string, said: Said): Promise<void>;
  close(): Promise<void>;
};

const rememberedMs = dayMs;
const mostRemembered = 2000;
const linesUntilRewrite = 4 * mostRemembered;

/** The commands of the last day, a line for each step; read at the start, appended to until it is long. */
export async function openCommandLog(path: string, clock: Clock, log: Logger): Promise<CommandLog> {
  const outcomes = new Map<string, Line>();
  const newest = new Map<string, Line>();
  let writing = Promise.resolve();

  const keyOf = ({ sn, subject }: Pick<Line, 'sn' | 'subject'>): string => `${subject} ${sn}`;

  function newestOf(of: Pick<Line, 'sn' | 'subject'>): number | undefined {
    const { issuedAt } = newest.get(keyOf(of)) ?? {};
    return issuedAt !== undefined && issuedAt <= clock.now() + futureMs ? issuedAt : undefined;
  }

  function remember(line: Line): void {
    if (line.id !== undefined) {
      const before = outcomes.get(line.id);
      outcomes.delete(line.id); // to the end: the oldest is forgotten first
      outcomes.set(line.id, { ...before, ...line, at: before?.at ?? line.at });
      if (outcomes.size > mostRemembered) outcomes.delete(outcomes.keys().next().value!);
    }
    if (line.issuedAt === undefined) return;
    if (line.issuedAt >= (newestOf(line) ?? 0)) newest.set(keyOf(line), line);
  }

  const read = await readLines(path);
  for (const line of read) if (clock.now() - line.at < rememberedMs) remember(line);
  // Nothing is written yet: a gateway whose disk is full has to start, if only to let go of what it controls.
  let file: FileHandle | undefined = await open(path, 'a', 0o600);
  await syncFolder(dirname(path));
  let lines = read.length;
  let mayBeCut = true; // the last line, by a crash or a full disk
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

  /** What was written stays so, whether this works or not. */
  async function shorten(): Promise<void> {
    if (lines < linesUntilRewrite) return;
    try {
      await rewrite();
      isTooLong = false;
    } catch (error) {
      if (!isTooLong) log.warn({ err: error }, 'the log of commands was not shortened');
      isTooLong = true;
    }
  }

  async function rewrite(): Promise<void> {
    const kept = new Set(
      [...outcomes.values(), ...newest.values()].filter(({ at }) => clock.now() - at < rememberedMs),
    );
    const full = file;
    file = undefined; // who writes next opens what is there then
    await full?.close();
    await writeAtomic(path, [...kept].map((line) => `${JSON.stringify(line)}\n`).join(''));
    lines = kept.size;
  }

  function append(line: Line, isSynced: boolean): Promise<void> {
    remember(line);
    const done = writing.then(() => write(line, isSynced));
    writing = done.then(shorten, () => {}); // who wrote is told
    return done;
  }

  return {
    find(id) {
      const found = outcomes.get(id);
      return found && { status: found.status, ...(found.message && { message: found.message }) };
    },
    newest: (sn, subject) => newestOf({ sn, subject }),
    async accept(sn, { id, subject, issuedAt }) {
      try {
        await append(
          { at: clock.now(), ...(id !== undefined && { id }), sn, subject, issuedAt, status: 'queued' },
          true,
        );
      } catch (error) {
        if (id !== undefined) outcomes.delete(id); // or the next one with this id would pass for the same
        throw error;
      }
    },
    outcome: (id, said) => append({ at: clock.now(), id, ...said }, false),
    async close() {
      await writing;
      await file?.close();
    },
  };
}

/** A line that a crash has cut is passed over. */
async function readLines(path: string): Promise<Line[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as Line];
    } catch {
      return [];
    }
  });
}
