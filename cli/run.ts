import { readFileSync } from 'node:fs';
import type { Shell } from './command.ts';
import { groups, loadCommands } from './commands/index.ts';
import { findCommand } from './find-command.ts';
import { commandHelp, groupHelp } from './help.ts';
import { readArguments } from './read-arguments.ts';
import { UsageError } from './usage-error.ts';
import { keepYoungHeapSmall } from './young-heap.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const shell: Shell = {
  env: process.env,
  version,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
};

async function main(args: string[]): Promise<void> {
  if (args[0] === '--version') return void shell.stdout.write(`${version}\n`);
  const commands = await loadCommands(args);
  const found = findCommand(args, commands);
  if ('command' in found) {
    const given = readArguments(found.command, found.rest);
    if (given) return found.command.run(given, shell);
    return void shell.stdout.write(commandHelp(found.command));
  }
  const help = groupHelp(found.group, commands, groups);
  const option = args.find((arg) => arg.startsWith('-'));
  if (option === '--help' || option === '-h') return void shell.stdout.write(help);
  if (option) throw new UsageError(`${option} belongs behind a command.`, found.group);
  shell.stderr.write(help);
  process.exitCode = 2;
}

// The reader of our output may leave before its end, as head does.
shell.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

keepYoungHeapSmall();
try {
  await main(process.argv.slice(2));
} catch (error) {
  const { failureOf } = await import('./failure.ts'); // knows the errors of the database, and so loads what speaks to it
  const { text, exitCode } = failureOf(error);
  shell.stderr.write(`${text}\n`);
  process.exit(exitCode);
}
