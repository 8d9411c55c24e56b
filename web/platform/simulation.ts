import { signal } from '@preact/signals';
import type { Simulation } from '#contract/simulation.ts';

/** State of the simulation. Every change request returns it as well. */
export const simulation = signal<Simulation | undefined>(undefined);

/** Whether this platform runs the simulation; it marks the document then. */
export const isSimulated = document.documentElement.hasAttribute('data-simulated');
