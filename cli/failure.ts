import { DatabaseTooNew } from '#cloud/store/migrate.ts';
import { Problem } from '#contract/problem.ts';
import { ConfigError } from '#lib/config.ts';
import { FolderInUse } from '#lib/folder-lock.ts';
import { KeyError } from '#lib/keys/public-key.ts';
import { UsageError } from './usage-error.ts';

const expected = [Problem, ConfigError, FolderInUse, DatabaseTooNew, KeyError];

type Detailed = Error & { code?: string; errcode?: number; address?: string; port?: number };

/** What to tell about a failure, and the exit code that goes with it. */
export function failureOf(error: unknown): { text: string; exitCode: number } {
  if (error instanceof UsageError) {
    const help = ['ohmstead', error.help, '--help'].filter(Boolean).join(' ');
    return { text: `${error.message}\nSee ${help}.`, exitCode: 2 };
  }
  if (!(error instanceof Error)) return { text: String(error), exitCode: 1 };
  if (error.name === 'AbortError') return { text: 'Interrupted; nothing was changed.', exitCode: 130 };
  if (expected.some((kind) => error instanceof kind)) return { text: error.message, exitCode: 1 };
  return { text: sentenceOf(error) ?? error.stack ?? error.message, exitCode: 1 };
}

function sentenceOf({ code = '', errcode, message, address, port }: Detailed): string | undefined {
  if (code === 'EADDRINUSE') {
    return `Port ${port} of ${address} is taken; set CLOUD_PORT to another, or to 0 for any that is free.`;
  }
  if (/^(EACCES|EPERM|EROFS|ENOSPC|ENOENT|ENOTDIR|EISDIR|EADDRNOTAVAIL)$/.test(code))
    return `The system refuses: ${message}.`;
  if (/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)$/.test(code)) return `The database cannot be reached (${code}).`;
  if (/^(28|3D|53|57)/.test(code)) return `The database refuses: ${message}.`; // classes of PostgreSQL: sign-in, name, resources, shutdown
  if (errcode !== undefined) return `The database refuses: ${message}.`;
  return undefined;
}
