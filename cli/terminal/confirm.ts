import { createInterface } from 'node:readline/promises';
import { Problem } from '#contract/problem.ts';
import type { Option, Shell } from '../line/command.ts';
import { UsageError } from '../line/command.ts';

export const yesOption = { help: 'skip the confirmation' } as const satisfies Option;

/** Throws unless the user passed --yes, or confirms on the terminal. */
export async function requireConfirmation(yes: boolean, question: string, { stdin, stderr }: Shell): Promise<void> {
  if (yes) return;
  if (!stdin.isTTY || !stderr.isTTY) {
    throw new UsageError(`${question} There is no terminal to confirm this on; add --yes to go ahead.`);
  }
  const terminal = createInterface({ input: stdin, output: stderr });
  try {
    const answer = await terminal.question(`${question} Continue? [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new Problem('conflict', 'Nothing was changed.');
  } finally {
    terminal.close();
  }
}
