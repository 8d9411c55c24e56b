import { createInterface } from 'node:readline/promises';
import type { Shell } from './command.ts';
import { UsageError } from './usage-error.ts';

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
