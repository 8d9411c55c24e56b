import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Proven } from './proof.ts';

export const readProven = (file: string): Proven[] =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Proven[]) : [];

/** Writes what is proven now beside what was before, in this order; lines of other ids are left out. */
export function keepProven(file: string, proven: readonly Proven[], order: readonly string[]): void {
  const lines = new Map([...readProven(file), ...proven].map((line) => [line.id, line]));
  const kept = order.flatMap((id) => lines.get(id) ?? []);
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
}
