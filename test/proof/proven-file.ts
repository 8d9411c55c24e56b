import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Proven } from './proof.ts';

export const readProven = (file: string): Proven[] =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Proven[]) : [];

/** Merges new results into the file, in this order; entries of unknown ids are removed. */
export function keepProven(file: string, proven: readonly Proven[], order: readonly string[]): void {
  const lines = new Map([...readProven(file), ...proven].map((line) => [line.id, line]));
  const kept = order.flatMap((id) => lines.get(id) ?? []);
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
}
