import { errorCode } from '#lib/error-code.ts';

/**
 * Matches network errors, PostgreSQL's classes "connection exception" and "operator intervention", a full server or disk, and
 * a server that became read-only.
 */
export function isConnectionFault(error: unknown): boolean {
  const code = errorCode(error);
  if (typeof code !== 'string')
    return error instanceof Error && /timeout exceeded|connection terminated|not queryable/i.test(error.message);
  return code.startsWith('E') || /^(08|53|57|25006)/.test(code);
}
