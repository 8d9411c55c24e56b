import { evidence } from './evidence/all.ts';

/** A test or a suite that was skipped, by its file below the root. */
export type Skipped = { file: string; title: string; reason: string };

/** What the machines of a CI may refuse to let anybody do. */
const bearable = ['a small disk cannot be mounted here', 'a disk cannot be mounted here'];

const files = new Set(evidence.flatMap((entry) => ('tests' in entry ? entry.tests.map(({ file }) => file) : [])));

/** Of what was skipped, what stands in a file of the evidence: a suite that is skipped takes all of its tests along. */
export const skippedEvidence = (skipped: readonly Skipped[]): Skipped[] =>
  skipped.filter(({ file }) => files.has(file));

/** Without these the evidence would stand for nothing. */
export const unbearable = (skipped: readonly Skipped[]): Skipped[] =>
  skippedEvidence(skipped).filter(({ reason }) => !bearable.includes(reason));
