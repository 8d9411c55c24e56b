import { userInfo } from 'node:os';
import { errorCode } from '#lib/error-code.ts';
import { messageOf } from '../line/errors.ts';

export type Level = 'ok' | 'warning' | 'problem';

/** The result of a check: a sentence, and what to do if anything is wrong. */
export type Outcome = { level: Level; says: string; next?: string };

export type Outcomes = Outcome | Outcome[];

export type Finding = Outcome & { about: string };

export const ok = (says: string): Outcome => ({ level: 'ok', says });
export const warning = (says: string, next: string): Outcome => ({ level: 'warning', says, next });
export const problem = (says: string, next: string): Outcome => ({ level: 'problem', says, next });

const reasons: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENOTFOUND: 'unknown host name',
  EAI_AGAIN: 'DNS lookup failed',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ETIMEDOUT: 'timed out',
  ABORT_ERR: 'timed out',
  UND_ERR_CONNECT_TIMEOUT: 'timed out',
  EACCES: 'permission denied',
};

/** Returns why something could not be reached, as the end of a sentence. Contains no address, which may include a password. */
export function failureReason(error: unknown): string {
  const isTimeout = error instanceof Error && /^(Timeout|Abort)Error$/.test(error.name);
  if (isTimeout || /time(d )?out/i.test(messageOf(error))) return 'timed out';
  const code = innermostCode(error);
  if (/CERT|SELF_SIGNED|ALTNAME/.test(code)) return `its certificate is not trusted (${code})`;
  return reasons[code] ?? (code || 'unexpected answer');
}

const innermostCode = (error: unknown): string =>
  (error instanceof Error && innermostCode(error.cause)) || String(errorCode(error) ?? '');

/** Returns the user of this process; in a container the user id often has no name. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}
