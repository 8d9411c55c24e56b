import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { fleetingFolder } from '../fleeting-folder.ts';
import { freePort } from '../free-port.ts';
import { binaries, ordinaryUser } from './postgres-binaries.ts';

export interface Postgres {
  url(database?: string): string;
  /** Kills the server, or all of its processes at once, and lets it recover. */
  restart(how?: 'SIGQUIT' | 'SIGKILL'): Promise<void>;
  /** Kills all of its processes at once, for good. */
  kill(): Promise<void>;
  /** Makes a standby the primary, as an operator does. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

const shipped = join(import.meta.dirname, '../../deploy/postgresql/postgresql.conf');

// Runs the server while its standard input is open, so that it ends with this process, however that ends.
// SIGQUIT (stop at once) is repeated because a starting server ignores it.
const supervisor = `
folder=$1 bin=$2 primary=$3; shift 3
cd "$folder"
exec 3<&0
make() { "$bin/initdb" --pgdata=data --username=postgres --auth=trust --encoding=UTF8 --locale=C --no-sync; }
copy() { "$bin/pg_basebackup" --pgdata=data --dbname="$primary" --write-recovery-conf --checkpoint=fast --no-sync; }
{ if [ "$primary" ]; then copy; else make; fi; } >log 2>&1 && {
  start() { "$bin/postgres" -D data "$@" >>log 2>&1 & echo $! >server.pid; }
  start "$@"
  { cat <&3 >/dev/null; touch stopping; while kill -QUIT "$(cat server.pid)" 2>/dev/null; do sleep 0.1; done; } &
  while wait "$(cat server.pid)"; [ -f again ] && [ ! -f stopping ]; do rm -f again; start "$@"; done
}
tail -n 20 log >&2
cd / && rm -rf "$folder"
`;

/**
 * A private server in a temporary folder, configured by the file in deploy/postgresql.
 * Not durable means without fsync and vacuum, in memory: right for behaviour, wrong for power cuts. With the URL of a
 * primary, it is a standby of that.
 */
export async function startPostgres({ durable = false, primary = '', atPort = 0 } = {}): Promise<Postgres> {
  const bin = binaries();
  if (!bin) throw new Error(missing);
  const port = atPort || (await freePort());
  const folder = mkdtempSync(join(durable ? tmpdir() : fleetingFolder(), 'ohmstead-postgres-'));
  const owner = ordinaryUser();
  const configFile = join(folder, 'postgresql.conf'); // a copy, since its owner may not read our folders
  copyFileSync(shipped, configFile);
  if (owner) for (const path of [folder, configFile]) chownSync(path, owner.uid, owner.gid);
  const settings = {
    config_file: configFile,
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: folder,
    ...(durable ? { fsync: 'on' } : { fsync: 'off', full_page_writes: 'off', autovacuum: 'off' }),
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn('/bin/sh', ['-c', supervisor, 'postgres-supervisor', folder, bin, primary, ...options], {
    ...owner,
    cwd: '/',
    detached: true, // a Ctrl-C in the terminal must reach this process first
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const ended = once(child, 'close');
  let lastWords = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    lastWords += text;
  });
  const handles = [child, child.stdin, child.stderr] as unknown as Pick<Socket, 'ref' | 'unref'>[];
  for (const handle of handles) handle.unref(); // a forgotten server does not keep a test process running

  const url = (database = 'postgres') => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const stop = async () => {
    for (const handle of handles) handle.ref();
    child.stdin.end();
    await ended;
  };
  const untilItAnswers = async () => {
    const deadline = AbortSignal.timeout(60_000);
    while (existsSync(join(folder, 'again')) || !(await answers(url()))) {
      if (child.exitCode !== null || deadline.aborted) {
        await stop();
        throw new Error(`PostgreSQL did not start: ${lastWords}`);
      }
      await sleep(50);
    }
  };
  await untilItAnswers();
  const restart = async (how: 'SIGQUIT' | 'SIGKILL' = 'SIGQUIT') => {
    const server = Number(readFileSync(join(folder, 'server.pid'), 'utf8'));
    writeFileSync(join(folder, 'again'), '');
    if (how === 'SIGKILL') await killAll(server);
    else process.kill(server, how);
    await untilItAnswers();
  };
  const kill = () => killAll(Number(readFileSync(join(folder, 'server.pid'), 'utf8')));
  const promote = async () => {
    await promisify(execFile)(join(bin, 'pg_ctl'), ['promote', '-D', join(folder, 'data')], { ...owner, cwd: '/' });
  };
  return { url, restart, kill, promote, stop };
}

let ownServer: Promise<Postgres> | undefined;

function startOwnServer(): Promise<Postgres> {
  ownServer ??= startPostgres();
  return ownServer;
}

/** A database to copy, and what fills it. */
export type Template = { name: string; fill(url: string): Promise<void> };

const fileCopy = 'strategy file_copy'; // to write the copy into the log costs twice as much

const urlOf = (server: string, database: string): string =>
  Object.assign(new URL(server), { pathname: `/${database}` }).href;

/** A database, empty or a copy of a template, in the server of the test run or in one that lives as long as this process. */
export async function freshDatabase(template?: Template): Promise<{ url: string; drop(): Promise<void> }> {
  const server = process.env.TEST_POSTGRES_URL ?? (await startOwnServer()).url();
  if (template) await makeTemplate(server, template);
  const name = `test_${randomBytes(6).toString('hex')}`;
  await execute(server, `create database ${name} template ${template?.name ?? 'template1'} ${fileCopy}`);
  return {
    url: urlOf(server, name),
    drop: () => execute(server, `drop database if exists ${name} with (force)`),
  };
}

const madeTemplates = new Set<string>();

/** Makes a template unless another process of the test run has made it; processes that need it meanwhile wait. */
async function makeTemplate(server: string, { name, fill }: Template): Promise<void> {
  if (madeTemplates.has(name)) return;
  await withClient(server, async (client) => {
    await client.query('select pg_advisory_lock(1)'); // until this connection ends
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) {
      const unfinished = `${name}_unfinished`;
      await client.query(`drop database if exists ${unfinished} with (force)`);
      await client.query(`create database ${unfinished} ${fileCopy}`);
      await fill(urlOf(server, unfinished));
      await client.query(`alter database ${unfinished} rename to ${name}`);
    }
  });
  madeTemplates.add(name);
}

const missing = 'PostgreSQL is not installed (no initdb on the PATH or in /usr/lib/postgresql).';

/** The reason to skip a test, or false. In CI nothing is skipped: a missing server is a failure. */
export function postgresMissing(): string | false {
  if (process.env.TEST_WITHOUT_POSTGRES) return 'this run excludes PostgreSQL';
  if (process.env.TEST_POSTGRES_URL || binaries()) return false;
  if (process.env.CI) throw new Error(missing);
  return missing;
}

/** By the fourth field of their state; the second, their name in brackets, may contain spaces. */
const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((each) => each > 0 && Number(stateOf(each).split(') ').at(-1)?.split(' ')[1]) === pid);

/** With all of its processes, itself last: a survivor would keep it from starting again. */
async function killAll(server: number): Promise<void> {
  const is = (state: 'T' | 'Z', pid: number): boolean => stateOf(pid).includes(`) ${state} `);
  process.kill(server, 'SIGSTOP'); // a stopped server starts no more of them
  while (!is('T', server)) await sleep(1);
  const backends = childrenOf(server);
  backends.forEach(killIfThere);
  while (!backends.every((pid) => is('Z', pid))) await sleep(1);
  killIfThere(server);
}

function stateOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return ''; // it has ended meanwhile
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error; // it ended with its server
  }
}

const answers = (url: string) =>
  execute(url, 'select 1').then(
    () => true,
    () => false,
  );

const execute = (url: string, sql: string): Promise<void> =>
  withClient(url, async (client) => void (await client.query(sql)));

async function withClient(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client(url);
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end();
  }
}
