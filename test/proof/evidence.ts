import { attacks, type Evidence } from './evidence/attacks.ts';
import { faults } from './evidence/faults.ts';

/** By id: A.. is an attack, F.. a fault. */
export const evidence: Readonly<Record<string, Evidence>> = { ...attacks, ...faults };

/** A test or suite that was skipped, with its file below the root. */
export type Skipped = { file: string; title: string; reason: string };

const evidenceFiles = new Set(Object.values(evidence).flatMap((entry) => ('tests' in entry ? entry.tests : [])));

/** Conditions that a CI machine may lack. */
const acceptedReasons = ['a small disk cannot be mounted here', 'a disk cannot be mounted here'];

/** Skipped tests in files that count as evidence. */
export const skippedEvidence = (skipped: readonly Skipped[]): Skipped[] =>
  skipped.filter(({ file }) => evidenceFiles.has(file));

/** Skipped evidence that must fail a CI run. */
export const unacceptable = (skipped: readonly Skipped[]): Skipped[] =>
  skippedEvidence(skipped).filter(({ reason }) => !acceptedReasons.includes(reason));
