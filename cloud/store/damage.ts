import { Problem } from '#contract/problem.ts';

// SQLITE_CORRUPT, SQLITE_NOTADB; their extended codes keep them in the low byte
const damages = new Set([11, 26]);

export const isSqliteError = (error: unknown): error is Error & { errcode: number } =>
  error instanceof Error && 'errcode' in error;

export const damaged = (file: string, what: string, options?: ErrorOptions): Problem =>
  new Problem('unprocessable', `The database ${file} is damaged: ${what}.`, {}, options);

/** What an error says of this database when it tells of damage; else the error. */
export const damageOf = (file: string, error: unknown): unknown =>
  isSqliteError(error) && damages.has(error.errcode & 0xff) ? damaged(file, error.message, { cause: error }) : error;

const advice = 'Move the data folder away, and put a backup back with ohmstead restore, or begin anew.';

/** Opens a database of the platform; whoever starts it hears which one is damaged, and what to do. */
export function openUndamaged<Opened>(file: string, open: () => Opened): Opened {
  try {
    return open();
  } catch (cause) {
    const told = damageOf(file, cause);
    throw told instanceof Problem ? new Problem(told.code, `${told.message} ${advice}`, {}, { cause }) : told;
  }
}
