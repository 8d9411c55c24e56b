import { readFileSync } from 'node:fs';
import { commandGroups, groupSummaries, loadCommands } from './commands/index.ts';
import { type Command, type Shell, UsageError } from './line/command.ts';
import { commandHelp, groupHelp, programHelp } from './line/help.ts';
import { findNearest, suggest } from './line/nearest.ts';
import { readArguments } from './line/read-arguments.ts';

const packageJson = readFileSync(new URL('../package.json', import.meta.url), 'utf8');

export const { version }: { version: string } = JSON.parse(packageJson);

/** Runs a command line and prints any failure. Returns whether the command succeeded. */
export async function runCommandLine(args: readonly string[], shell: Shell): Promise<boolean> {
  let called: Command | undefined;
  try {
    if (args[0] === '--version') shell.stdout.write(`${shell.version}\n`);
    else if (args[0]?.startsWith('-') ?? true)
      printHelp('', args, programHelp(commandGroups, groupSummaries[''] ?? ''), shell);
    else await call(args, shell, (command) => (called = command));
    return true;
  } catch (error) {
    const { describeFailure } = await import('./line/failure.ts'); // needed only after a failure
    const { text, exitCode } = describeFailure(error, { command: called, env: shell.env });
    shell.stderr.write(`${text}\n`);
    shell.exitCode = exitCode;
    return false;
  }
}

async function call(args: readonly string[], shell: Shell, onFound: (command: Command) => void): Promise<void> {
  const commands = await loadCommands(args);
  const found = findCommand(args, commands);
  if (!('command' in found)) {
    return printHelp(found.group, args, groupHelp(found.group, commands, groupSummaries[found.group] ?? ''), shell);
  }
  onFound(found.command);
  const given = readArguments(found.command, found.rest);
  if (given) return found.command.run(given, shell);
  shell.stdout.write(commandHelp(found.command, commands));
}

/** Prints the help of a group, or of the program: on standard output when requested, else on standard error. */
function printHelp(group: string, args: readonly string[], help: string, shell: Shell): void {
  const option = args.find((arg) => arg.startsWith('-'));
  if (option === '--help' || option === '-h') return void shell.stdout.write(help);
  if (option) throw new UsageError(`${option} must follow a command.`, group);
  shell.stderr.write(help);
  shell.exitCode = 2;
}

type Found = { command: Command; rest: string[] } | { group: string };

/** Finds the command or group that the first words of a command line name. */
function findCommand(args: readonly string[], commands: readonly Command[]): Found {
  const firstOption = args.findIndex((arg) => arg.startsWith('-'));
  const words = firstOption === -1 ? args : args.slice(0, firstOption);
  const typed = words.join(' ');

  const command = commands
    .filter(({ name }) => beginsWith(typed, name))
    .reduce<Command | undefined>(
      (best, next) => (best && best.name.length > next.name.length ? best : next),
      undefined,
    );
  // `ohmstead gateway` runs a program and is also a group: a word after it must be one of its subcommands.
  const isGroup = command?.arguments.length === 0 && commands.some(({ name }) => name.startsWith(`${command.name} `));
  const isKnown = command && !(isGroup && command.name !== typed);
  if (isKnown) return { command, rest: args.slice(command.name.split(' ').length) };
  if (typed === '' || commands.some(({ name }) => beginsWith(name, typed))) return { group: typed };

  throw new UsageError(`Unknown command "${typed}"${suggest(nearestName(words, commands))}`);
}

const beginsWith = (text: string, words: string): boolean => text === words || text.startsWith(`${words} `);

/** Finds the nearest command name and quotes it. Compares only as many words as each name has, so that arguments after a misspelt name do not matter. */
function nearestName(words: readonly string[], commands: readonly Command[]): string | undefined {
  const names = new Set(
    commands.flatMap(({ name }) => name.split(' ').map((_, i, all) => all.slice(0, i + 1).join(' '))),
  );
  for (let length = words.length; length > 0; length--) {
    const candidates = [...names].filter((name) => name.split(' ').length === length);
    const found = findNearest(words.slice(0, length).join(' '), candidates);
    if (found) return `"${found}"`;
  }
  return undefined;
}
