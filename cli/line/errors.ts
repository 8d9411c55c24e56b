import { Problem, type ProblemCode } from '#contract/problem.ts';

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const isProblem = (error: unknown, ...codes: readonly ProblemCode[]): error is Problem =>
  error instanceof Problem && codes.includes(error.code);

/** Returns undefined instead of throwing when the platform does not find the object. */
export const ifFound = <T>(found: Promise<T>): Promise<T | undefined> =>
  found.catch((error: unknown) => {
    if (isProblem(error, 'not_found')) return undefined;
    throw error;
  });
