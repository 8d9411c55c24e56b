import type { Command } from './command.ts';
import { didYouMean, nearest } from './nearest.ts';
import { UsageError } from './usage-error.ts';

/** A command with what follows its name, or a group of commands. */
export type Found = { command: Command; rest: string[] } | { group: string };

/** What the first words of a command line call. */
export function findCommand(args: readonly string[], commands: readonly Command[]): Found {
  const firstOption = args.findIndex((arg) => arg.startsWith('-'));
  const words = firstOption === -1 ? args : args.slice(0, firstOption);
  const typed = words.join(' ');

  const command = commands
    .filter(({ name }) => beginsWith(typed, name))
    .reduce<Command | undefined>(
      (best, next) => (best && best.name.length > next.name.length ? best : next),
      undefined,
    );
  // A program without arguments that is also a group: what follows it is one of its commands.
  const isGroup = command?.arguments.length === 0 && commands.some(({ name }) => name.startsWith(`${command.name} `));
  const isKnown = command && !(isGroup && command.name !== typed);
  if (isKnown) return { command, rest: args.slice(command.name.split(' ').length) };
  if (typed === '' || commands.some(({ name }) => beginsWith(name, typed))) return { group: typed };

  throw new UsageError(`There is no command "${typed}"${didYouMean(quoted(nearestName(words, commands)))}`);
}

const beginsWith = (text: string, words: string): boolean => text === words || text.startsWith(`${words} `);

const quoted = (text: string | undefined): string | undefined => text && `"${text}"`;

/** Compares as many words as each name has, so that arguments behind a misspelt name do not hide it. */
function nearestName(words: readonly string[], commands: readonly Command[]): string | undefined {
  const names = new Set(
    commands.flatMap(({ name }) => name.split(' ').map((_, i, all) => all.slice(0, i + 1).join(' '))),
  );
  for (let length = words.length; length > 0; length--) {
    const candidates = [...names].filter((name) => name.split(' ').length === length);
    const found = nearest(words.slice(0, length).join(' '), candidates);
    if (found) return found;
  }
  return undefined;
}
