import { readFileSync } from 'node:fs';
import { groups, loadCommands, words } from './commands/index.ts';
import type { Command, Shell } from './line/command.ts';
import { findCommand } from './line/find-command.ts';
import { commandHelp, groupHelp, programHelp } from './line/help.ts';
import { readArguments } from './line/read-arguments.ts';
import { UsageError } from './line/usage-error.ts';
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

let called: Command | undefined;

async function main(args: string[]): Promise<void> {
  if (args[0] === '--version') return void shell.stdout.write(`${version}\n`);
  if (args.length === 0 || args[0]?.startsWith('-')) return helpWith('', args, programHelp(words, groups['']!));
  const commands = await loadCommands(args);
  const found = findCommand(args, commands);
  if ('command' in found) {
    called = found.command;
    const given = readArguments(found.command, found.rest);
    if (given) return found.command.run(given, shell);
    return void shell.stdout.write(commandHelp(found.command, commands));
  }
  helpWith(found.group, args, groupHelp(found.group, commands, groups[found.group] ?? ''));
}

/** What stands alone is a group, or nothing: the help was asked for, or is the answer to a mistake. */
function helpWith(group: string, args: readonly string[], help: string): void {
  const option = args.find((arg) => arg.startsWith('-'));
  if (option === '--help' || option === '-h') return void shell.stdout.write(help);
  if (option) throw new UsageError(`${option} belongs behind a command.`, group);
  shell.stderr.write(help);
  process.exitCode = 2;
}

// The reader of our output may leave before its end, as head does.
shell.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

keepYoungHeapSmall();
try {
  await main(process.argv.slice(2));
} catch (error) {
  const { failureOf } = await import('./line/failure.ts'); // knows the errors of the database, and so loads what speaks to it
  const { text, exitCode } = failureOf(error, { environment: called?.environment, env: shell.env });
  shell.stderr.write(`${text}\n`);
  process.exit(exitCode);
}
