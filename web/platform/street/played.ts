import { signal } from '@preact/signals';
import type { Simulation } from '#contract/simulation.ts';

/** What is played, as it truly is; every change answers with it too. */
export const simulation = signal<Simulation | undefined>(undefined);
