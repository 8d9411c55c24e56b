import type { TObject } from 'typebox';
import { CloudConfig } from '#cloud/config.ts';
import { hostUrls } from '#cloud/store/host-urls.ts';
import { Problem } from '#contract/problem.ts';
import { ConfigError, checkConfig } from '#lib/config.ts';
import { DatabaseTooNew } from '#lib/database-too-new.ts';
import { FolderInUse, FolderRefused } from '#lib/folder-lock.ts';
import { KeyError } from '#lib/keys/public-key.ts';
import type { Command, Shell } from './command.ts';
import { UsageError } from './command.ts';
import { plainMessage } from './plain-message.ts';

const expected = [ConfigError, FolderInUse, FolderRefused, DatabaseTooNew, KeyError];

type SystemError = Error & {
  code?: string | number;
  errcode?: number;
  address?: string;
  hostname?: string;
  port?: number;
  path?: string;
  errors?: SystemError[];
};

export type FailureContext = { command: Command | undefined; env: Shell['env'] };

export function describeFailure(error: unknown, attempt: FailureContext): { text: string; exitCode: number } {
  if (error instanceof UsageError) {
    const help = ['ohmstead', error.help ?? attempt.command?.name, '--help'].filter(Boolean).join(' ');
    return { text: `${error.message}\nSee ${help}.`, exitCode: 2 };
  }
  if (!(error instanceof Error)) return { text: String(error), exitCode: 1 };
  if (error.name === 'AbortError') return { text: 'Interrupted; nothing was changed.', exitCode: 130 };
  if (error instanceof Problem) return { text: plainMessage(error.message, attempt.command), exitCode: 1 };
  if (expected.some((kind) => error instanceof kind)) return { text: error.message, exitCode: 1 };
  return { text: sentenceOf(error, attempt) ?? error.stack ?? error.message, exitCode: 1 };
}

function sentenceOf(error: SystemError, attempt: FailureContext): string | undefined {
  const { errcode, message } = error;
  const code = String(error.code ?? '');
  if (code === 'EADDRINUSE') return describePortInUse(error, attempt);
  if (code === 'ENOENT' && error.path) return `No such file or folder: ${error.path.replace(unfinished, '')}.`;
  if (/^(EACCES|EPERM|EROFS|ENOSPC|ENOENT|ENOTDIR|EISDIR|EADDRNOTAVAIL)$/.test(code))
    return `The operating system refused: ${message}.`;
  if (/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH)$/.test(code))
    return describeUnreachable(code, error, attempt);
  if (/^08[0-9A-Z]{3}$/.test(code)) return message;
  if (/^(28|3D|53|57)[0-9A-Z]{3}$/.test(code)) return `The database refused: ${message}.`; // PostgreSQL error classes: sign-in, name, resources, shutdown
  if (errcode !== undefined) return `The database refused: ${message}.`;
  return undefined;
}

const unfinished = /(\.\d+)?\.tmp$/; // the end of the name of a file while it is written

/** Names the setting of the port; when several are possible, all of them. */
function describePortInUse({ address, port }: SystemError, { command, env }: FailureContext): string {
  const settings = command?.environment ? portSettings(command.environment, env) : [];
  const meant = settings.filter(([, value]) => value === port);
  const names = (meant.length > 0 ? meant : settings).map(([name]) => name);
  const remedy = names.length > 0 ? `; set ${names.join(' or ')} to another port, or to 0 for any free port` : '';
  return `Port ${port} on ${address} is in use${remedy}.`;
}

/** Returns the settings that are port numbers. Some settings named _PORT are serial lines. */
const portSettings = (environment: TObject, env: Shell['env']): [name: string, value: unknown][] =>
  Object.entries(checkConfig(environment, env).values).filter(
    ([name, value]) => name.endsWith('_PORT') && typeof value === 'number',
  );

/** Describes a host that did not answer; names the database if it has that address. */
function describeUnreachable(code: string, error: SystemError, { env }: FailureContext): string {
  const [first = error] = error.errors ?? []; // one error for each address of a host name
  const { address, hostname, port } = first;
  const { DATABASE_URL } = checkConfig(CloudConfig, env).values;
  const databases = DATABASE_URL === undefined ? [] : hostUrls(DATABASE_URL).map((url) => new URL(url));
  if (databases.some((each) => hostname === each.hostname || port === Number(each.port || 5432)))
    return `Cannot reach the database (${code}).`;
  const place = [address ?? hostname, port].filter((part) => part !== undefined).join(':');
  return place ? `No answer from ${place} (${code}).` : `Connection failed: ${error.message}.`;
}
