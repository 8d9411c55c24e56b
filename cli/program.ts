import { groups, loadCommands, words } from './commands/index.ts';
import type { Command, Shell } from './line/command.ts';
import { findCommand } from './line/find-command.ts';
import { commandHelp, groupHelp, programHelp } from './line/help.ts';
import { readArguments } from './line/read-arguments.ts';
import { UsageError } from './line/usage-error.ts';

/** Does what a line asks for, or tells why it cannot be done; whether it was. */
export async function carryOut(args: readonly string[], shell: Shell): Promise<boolean> {
  let called: Command | undefined;
  try {
    if (args[0] === '--version') shell.stdout.write(`${shell.version}\n`);
    else if (args.length === 0 || args[0]!.startsWith('-')) helpWith('', args, programHelp(words, groups['']!), shell);
    else await call(args, shell, (command) => (called = command));
    return true;
  } catch (error) {
    const { failureOf } = await import('./line/failure.ts'); // seldom needed
    const { text, exitCode } = failureOf(error, { command: called, env: shell.env });
    shell.stderr.write(`${text}\n`);
    shell.exitCode = exitCode;
    return false;
  }
}

async function call(args: readonly string[], shell: Shell, onFound: (command: Command) => void): Promise<void> {
  const commands = await loadCommands(args);
  const found = findCommand(args, commands);
  if (!('command' in found)) {
    return helpWith(found.group, args, groupHelp(found.group, commands, groups[found.group] ?? ''), shell);
  }
  onFound(found.command);
  const given = readArguments(found.command, found.rest);
  if (given) return found.command.run(given, shell);
  shell.stdout.write(commandHelp(found.command, commands));
}

/** What stands alone is a group, or nothing: the help was asked for, or is the answer to a mistake. */
function helpWith(group: string, args: readonly string[], help: string, shell: Shell): void {
  const option = args.find((arg) => arg.startsWith('-'));
  if (option === '--help' || option === '-h') return void shell.stdout.write(help);
  if (option) throw new UsageError(`${option} belongs behind a command.`, group);
  shell.stderr.write(help);
  shell.exitCode = 2;
}
