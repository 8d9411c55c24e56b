import { Problem } from '#contract/problem.ts';

// SQLITE_CORRUPT, SQLITE_NOTADB; extended codes keep the primary code in the low byte
const damageCodes = new Set([11, 26]);

export const isSqliteError = (error: unknown): error is Error & { errcode: number } =>
  error instanceof Error && 'errcode' in error;

export const damagedDatabase = (file: string, what: string, options?: ErrorOptions): Problem =>
  new Problem('unprocessable', `The database ${file} is damaged: ${what}.`, {}, options);

/** Turns an error that means a damaged database into a Problem that names the file; returns other errors unchanged. */
export const explainDamage = (file: string, error: unknown): unknown =>
  isSqliteError(error) && damageCodes.has(error.errcode & 0xff)
    ? damagedDatabase(file, error.message, { cause: error })
    : error;

const advice = 'Move the data folder away, then restore a backup with ohmstead restore or start with an empty folder.';

/** Opens a database of the platform. A damaged one is reported with its file and advice for the operator. */
export function openUndamaged<Opened>(file: string, open: () => Opened): Opened {
  try {
    return open();
  } catch (cause) {
    const error = explainDamage(file, cause);
    throw error instanceof Problem ? new Problem(error.code, `${error.message} ${advice}`, {}, { cause }) : error;
  }
}
