// PostgreSQL's data exceptions, broken constraints and exceeded limits; SQLite's TOOBIG, CONSTRAINT and MISMATCH.
const poisonClasses = /^(22|23|54)/;
const poisonNumbers = new Set([18, 19, 20]);

/** The fault lies in what was to be stored; trying again would not help. */
export function isPoison(error: unknown): boolean {
  const { code, errcode } = error as { code?: string; errcode?: number };
  return poisonClasses.test(code ?? '') || poisonNumbers.has((errcode ?? 0) & 0xff);
}

/** More than is told at once (mostReadings). Known by its code: of an error from another thread the class is lost. */
export class TooManyReadings extends Error {
  readonly code = 'too_many_readings';
}

export const isTooMany = (error: unknown): boolean =>
  (error as Partial<TooManyReadings>).code === ('too_many_readings' satisfies TooManyReadings['code']);
