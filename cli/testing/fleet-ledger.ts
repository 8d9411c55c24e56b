import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { until } from '#test/until.ts';

// For tests: the ledger of a simulated fleet.

type Fact = { said: 'intended' | 'acknowledged'; der: string; at: number };

export const factsOf = async (file: string): Promise<Fact[]> =>
  (await readFile(file, 'utf8'))
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Fact);

/** Waits until the platform has acknowledged so many readings. */
export async function acknowledged(ledger: string, count: number): Promise<void> {
  const facts = async () => (existsSync(ledger) ? await factsOf(ledger) : []);
  await until(facts, (all) => all.filter(({ said }) => said === 'acknowledged').length >= count, 60_000);
}
