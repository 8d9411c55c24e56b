import { type ExecFileException, execFile } from 'node:child_process';

type RunOptions = {
  /** standard input, for secrets that must not be visible in the process list */
  input?: string;
  timeoutMs?: number;
};

/** Runs a system command without a shell and returns its output. */
export type Run = (command: string, args: readonly string[], options?: RunOptions) => Promise<string>;

type Reason = 'is not installed' | 'did not end in time' | 'failed';

/** Thrown when a command is missing, times out or fails. */
export class CommandFailed extends Error {
  override name = 'CommandFailed';
  readonly reason: Reason;
  /** its error output */
  readonly output: string;

  constructor(command: string, reason: Reason, output: string) {
    super(`${command} ${reason}.`);
    this.reason = reason;
    this.output = output;
  }
}

const defaultPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export function createRun(path = defaultPath): Run {
  // English messages, but UTF-8 for the names of networks.
  const env = { PATH: path, LC_ALL: 'C.UTF-8' };
  return (command, args, { input = '', timeoutMs = 10_000 } = {}) =>
    new Promise((resolve, reject) => {
      const options = { env, timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: 1024 * 1024 } as const;
      const child = execFile(command, args, options, (error, stdout, stderr) => {
        if (error) reject(new CommandFailed(command, reasonOf(error), withoutInput(stderr, input)));
        else resolve(stdout);
      });
      child.stdin?.on('error', () => {}); // it exited without reading; its exit code is handled above
      child.stdin?.end(input);
    });
}

function reasonOf({ code, killed }: ExecFileException): Reason {
  if (code === 'ENOENT') return 'is not installed';
  return killed ? 'did not end in time' : 'failed';
}

function withoutInput(output: string, input: string): string {
  const secret = input.trim();
  return (secret === '' ? output : output.replaceAll(secret, '***')).trim().slice(0, 500);
}
