import type { TObject } from 'typebox';
import { CloudConfig } from '#cloud/config.ts';
import { Problem } from '#contract/problem.ts';
import { ConfigError, checkConfig } from '#lib/config.ts';
import { DatabaseTooNew } from '#lib/database-too-new.ts';
import { FolderInUse, FolderRefused } from '#lib/folder-lock.ts';
import { KeyError } from '#lib/keys/public-key.ts';
import type { Command, Shell } from './command.ts';
import { plainMessage } from './plain-message.ts';
import { UsageError } from './usage-error.ts';

const expected = [ConfigError, FolderInUse, FolderRefused, DatabaseTooNew, KeyError];

type Detailed = Error & {
  code?: string | number;
  errcode?: number;
  address?: string;
  hostname?: string;
  port?: number;
  errors?: Detailed[];
};

/** The command that failed, when it was found, and its environment. */
export type Attempt = { command: Command | undefined; env: Shell['env'] };

/** What to tell about a failure, and the exit code that goes with it. */
export function failureOf(error: unknown, attempt: Attempt): { text: string; exitCode: number } {
  if (error instanceof UsageError) {
    const help = ['ohmstead', error.help, '--help'].filter(Boolean).join(' ');
    return { text: `${error.message}\nSee ${help}.`, exitCode: 2 };
  }
  if (!(error instanceof Error)) return { text: String(error), exitCode: 1 };
  if (error.name === 'AbortError') return { text: 'Interrupted; nothing was changed.', exitCode: 130 };
  if (error instanceof Problem) return { text: plainMessage(error.message, attempt.command), exitCode: 1 };
  if (expected.some((kind) => error instanceof kind)) return { text: error.message, exitCode: 1 };
  return { text: sentenceOf(error, attempt) ?? error.stack ?? error.message, exitCode: 1 };
}

function sentenceOf(error: Detailed, attempt: Attempt): string | undefined {
  const { errcode, message } = error;
  const code = String(error.code ?? '');
  if (code === 'EADDRINUSE') return portTaken(error, attempt);
  if (/^(EACCES|EPERM|EROFS|ENOSPC|ENOENT|ENOTDIR|EISDIR|EADDRNOTAVAIL)$/.test(code))
    return `The system refuses: ${message}.`;
  if (/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH)$/.test(code)) return notReached(code, error, attempt);
  if (/^(28|3D|53|57)[0-9A-Z]{3}$/.test(code)) return `The database refuses: ${message}.`; // classes of PostgreSQL: sign-in, name, resources, shutdown
  if (errcode !== undefined) return `The database refuses: ${message}.`;
  return undefined;
}

/** Names the setting whose port it is; when that is not clear, all that it may be. */
function portTaken({ address, port }: Detailed, { command, env }: Attempt): string {
  const settings = command?.environment ? portSettings(command.environment, env) : [];
  const meant = settings.filter(([, value]) => value === port);
  const names = (meant.length > 0 ? meant : settings).map(([name]) => name);
  const remedy = names.length > 0 ? `; set ${names.join(' or ')} to another, or to 0 for any that is free` : '';
  return `Port ${port} of ${address} is taken${remedy}.`;
}

/** Numbers only: some ports are serial lines. */
const portSettings = (environment: TObject, env: Shell['env']): [name: string, value: unknown][] =>
  Object.entries(checkConfig(environment, env).values).filter(
    ([name, value]) => name.endsWith('_PORT') && typeof value === 'number',
  );

/** It is the database only when that is where it is. */
function notReached(code: string, error: Detailed, { env }: Attempt): string {
  const [first = error] = error.errors ?? []; // one for each address of a name
  const { address, hostname, port } = first;
  const { DATABASE_URL } = checkConfig(CloudConfig, env).values as Partial<CloudConfig>;
  const database = DATABASE_URL === undefined ? undefined : new URL(DATABASE_URL);
  const isDatabase = database && (hostname === database.hostname || port === Number(database.port || 5432));
  if (isDatabase) return `The database cannot be reached (${code}).`;
  const place = [address ?? hostname, port].filter((part) => part !== undefined).join(':');
  return place ? `Nothing answers at ${place} (${code}).` : `A connection failed: ${error.message}.`;
}
