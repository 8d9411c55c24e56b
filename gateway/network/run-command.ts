import { type ExecFileException, execFile } from 'node:child_process';

type RunOptions = {
  /** for its standard input: what must not be seen in the list of processes */
  input?: string;
  timeoutMs?: number;
};

/** What a command of the system printed. No shell reads the arguments. */
export type Run = (command: string, args: readonly string[], options?: RunOptions) => Promise<string>;

type Reason = 'is not installed' | 'did not end in time' | 'failed';

/** The command is not there, did not end in time, or ended with a failure. */
export class CommandFailed extends Error {
  override name = 'CommandFailed';
  readonly reason: Reason;
  /** what it said about it */
  readonly said: string;

  constructor(command: string, reason: Reason, said: string) {
    super(`${command} ${reason}.`);
    this.reason = reason;
    this.said = said;
  }
}

const usualPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const usualTimeoutMs = 10_000;
const mostOutput = 1024 * 1024; // bytes

export function createRun(path = usualPath): Run {
  // Messages in English, names of networks in any language.
  const env = { PATH: path, LC_ALL: 'C.UTF-8' };
  return (command, args, { input = '', timeoutMs = usualTimeoutMs } = {}) =>
    new Promise((resolve, reject) => {
      const options = { env, timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: mostOutput } as const;
      const child = execFile(command, args, options, (error, stdout, stderr) => {
        if (error) reject(new CommandFailed(command, reasonOf(error), withoutInput(stderr, input)));
        else resolve(stdout);
      });
      child.stdin?.on('error', () => {}); // it ended without reading, and its exit says why
      child.stdin?.end(input);
    });
}

function reasonOf({ code, killed }: ExecFileException): Reason {
  if (code === 'ENOENT') return 'is not installed';
  return killed ? 'did not end in time' : 'failed';
}

function withoutInput(said: string, input: string): string {
  const secret = input.trim();
  return (secret === '' ? said : said.replaceAll(secret, '***')).trim().slice(0, 500);
}
