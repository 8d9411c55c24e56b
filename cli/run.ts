import type { Shell } from './line/command.ts';
import { untilInterrupted } from './line/interrupt.ts';
import { runCommandLine, version } from './program.ts';

const shell: Shell = {
  env: process.env,
  version,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  exitCode: 0,
  exit: () => process.stdout.write('', () => process.exit(shell.exitCode)),
  untilInterrupted,
};

// The reader of our output may close the pipe early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const isDone = await runCommandLine(process.argv.slice(2), shell);
if (!isDone) process.exit(shell.exitCode);
process.exitCode = shell.exitCode;
