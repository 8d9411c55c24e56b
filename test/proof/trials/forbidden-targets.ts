import fc from 'fast-check';
import { createTargets, type Targets } from '#gateway/access/targets.ts';
import { anySpelling } from '../../attacks/edges/forbidden-targets.ts';
import type { Outcome, Proof } from '../proof.ts';

const mostNotes = 10;

/** Every lookup leads to this machine. */
const targets = (setting: string): Targets => createTargets(setting, async () => ['127.0.0.1']);

async function attempt(count: number, { resolve }: Targets): Promise<Outcome> {
  const notes: string[] = [];
  let failed = 0;
  for (const host of fc.sample(anySpelling, count)) {
    const address = await resolve(host).catch(() => undefined);
    if (address === undefined) continue;
    failed += 1;
    if (notes.length < mostNotes) notes.push(`${JSON.stringify(host)} leads to ${address}`);
  }
  return { tried: count, failed, notes };
}

export const forbiddenTargets: Proof = {
  id: 'S30',
  what: 'Spellings of forbidden addresses that are called',
  full: 100_000,
  seconds: 10,
  load: 1,
  attempt: (count) => attempt(count, targets('')),
  planted: () => attempt(1000, targets('*')),
};
