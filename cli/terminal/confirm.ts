import { createInterface } from 'node:readline/promises';
import { Problem } from '#contract/problem.ts';
import type { Option, Shell } from '../line/command.ts';
import { UsageError } from '../line/command.ts';

export const yesOption = { help: 'skip the confirmation' } as const satisfies Option;

/** Asks a yes-or-no question on the terminal; throws a UsageError if there is no terminal. */
export async function confirm(question: string, { stdin, stderr }: Shell, commandName: string): Promise<boolean> {
  if (!stdin.isTTY || !stderr.isTTY) {
    throw new UsageError(`${question} There is no terminal to confirm this on; add --yes to go ahead.`, commandName);
  }
  const terminal = createInterface({ input: stdin, output: stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} Continue? [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

/** Throws unless the user confirms, or passed --yes. */
export async function requireConfirmation(
  yes: boolean,
  question: string,
  shell: Shell,
  commandName: string,
): Promise<void> {
  if (!yes && !(await confirm(question, shell, commandName))) throw new Problem('conflict', 'Nothing was changed.');
}
