import { open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder, writeAtomic } from '#lib/atomic-file.ts';
import type { Clock } from '#lib/clock.ts';
import type { Said, Status, Subject } from './command.ts';

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
  /** when the newest command that was accepted for this was issued */
  newest(sn: string, subject: Subject): number | undefined;
  /** On disk when it returns: a command that was accepted once is never taken for a new one. */
  accept(sn: string, command: { id: string | undefined; subject: Subject; issuedAt: number }): Promise<void>;
  outcome(id: string, said: Said): Promise<void>;
  close(): Promise<void>;
};

const rememberedMs = 24 * 3_600_000;
const mostRemembered = 2000;
const linesUntilRewrite = 4 * mostRemembered;

/** The commands of the last day, a line for each step; read at the start, appended to until it is long. */
export async function openCommandLog(path: string, clock: Clock): Promise<CommandLog> {
  const outcomes = new Map<string, Line>();
  const newest = new Map<string, Line>();
  let writing = Promise.resolve();

  const keyOf = ({ sn, subject }: Pick<Line, 'sn' | 'subject'>): string => `${subject} ${sn}`;

  function remember(line: Line): void {
    if (line.id !== undefined) {
      const before = outcomes.get(line.id);
      outcomes.delete(line.id); // to the end: the oldest is forgotten first
      outcomes.set(line.id, { ...before, ...line, at: before?.at ?? line.at });
      if (outcomes.size > mostRemembered) outcomes.delete(outcomes.keys().next().value!);
    }
    if (line.issuedAt === undefined) return;
    if (line.issuedAt >= (newest.get(keyOf(line))?.issuedAt ?? 0)) newest.set(keyOf(line), line);
  }

  const read = await readLines(path);
  for (const line of read) if (clock.now() - line.at < rememberedMs) remember(line);
  // Nothing is written yet: a gateway whose disk is full has to start, if only to let go of what it controls.
  let file = await open(path, 'a', 0o600);
  await syncFolder(dirname(path));
  let lines = read.length;
  let mayBeCut = true; // the last line, by a crash or a full disk

  async function rewrite(): Promise<void> {
    const kept = new Set(
      [...outcomes.values(), ...newest.values()].filter(({ at }) => clock.now() - at < rememberedMs),
    );
    await writeAtomic(path, [...kept].map((line) => `${JSON.stringify(line)}\n`).join(''));
    const full = file;
    file = await open(path, 'a');
    lines = kept.size;
    await full.close();
  }

  function append(line: Line, isSynced: boolean): Promise<void> {
    remember(line);
    const done = writing.then(async () => {
      const text = `${mayBeCut ? '\n' : ''}${JSON.stringify(line)}\n`;
      mayBeCut = true;
      await file.appendFile(text);
      mayBeCut = false;
      if (isSynced) await file.datasync();
      if (++lines >= linesUntilRewrite) await rewrite();
    });
    writing = done.catch(() => {}); // who wrote is told
    return done;
  }

  return {
    find(id) {
      const found = outcomes.get(id);
      return found && { status: found.status, ...(found.message && { message: found.message }) };
    },
    newest: (sn, subject) => newest.get(keyOf({ sn, subject }))?.issuedAt,
    accept: (sn, { id, subject, issuedAt }) =>
      append({ at: clock.now(), ...(id !== undefined && { id }), sn, subject, issuedAt, status: 'queued' }, true),
    outcome: (id, said) => append({ at: clock.now(), id, ...said }, false),
    async close() {
      await writing;
      await file.close();
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
