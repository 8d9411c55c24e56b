import { createInterface } from 'node:readline/promises';
import { Problem } from '#contract/problem.ts';
import type { Option, Shell } from '../line/command.ts';
import { UsageError } from '../line/usage-error.ts';

export const yesOption = { says: 'do not ask' } as const satisfies Option;

/** Asks on a terminal; without one, refuses what was not allowed by --yes. */
export async function confirm(question: string, { stdin, stderr }: Shell, commandName: string): Promise<boolean> {
  if (!stdin.isTTY || !stderr.isTTY) {
    throw new UsageError(`${question} There is no terminal to ask on; add --yes if so.`, commandName);
  }
  const terminal = createInterface({ input: stdin, output: stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} Go on? [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

/** Ends the command unless the person agrees, or has agreed by --yes. */
export async function agree(yes: boolean, question: string, shell: Shell, commandName: string): Promise<void> {
  if (!yes && !(await confirm(question, shell, commandName))) throw new Problem('conflict', 'Nothing was changed.');
}
