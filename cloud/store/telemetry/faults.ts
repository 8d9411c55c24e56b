// PostgreSQL's data exceptions, broken constraints and exceeded limits; SQLite's TOOBIG, CONSTRAINT and MISMATCH.
const poisonClasses = /^(22|23|54)/;
const poisonNumbers = new Set([18, 19, 20]);

/** The fault lies in what was to be stored; trying again would not help. */
export function isPoison(error: unknown): boolean {
  const { code, errcode } = error as { code?: string; errcode?: number };
  return poisonClasses.test(code ?? '') || poisonNumbers.has((errcode ?? 0) & 0xff);
}

const tooMuch = ['too_many_readings', 'too_many_values', 'too_many_bytes'] as const;
type TooMuchCode = (typeof tooMuch)[number];

/** More raw readings than one answer may hold. Known by its code: an error from another thread loses its class. */
export class TooMuch extends Error {
  readonly code: TooMuchCode;

  constructor(code: TooMuchCode) {
    super(code);
    this.code = code;
  }
}

export const tooMuchOf = (error: unknown): TooMuchCode | undefined =>
  tooMuch.find((code) => code === (error as { code?: unknown }).code);
