import { signal } from '@preact/signals';
import type { Simulation } from '#contract/simulation.ts';

/** State of the simulation. Every change request returns it as well. */
export const simulation = signal<Simulation | undefined>(undefined);

/** Whether this platform runs the simulation. */
export const isSimulated = signal(false);

const retryMs = 5000;

/** Asks the platform until it answers. */
export async function detectSimulation(): Promise<void> {
  try {
    const answer = await fetch('/simulation', { headers: { accept: 'application/json' } });
    if (answer.status < 500) {
      isSimulated.value = answer.ok;
      return;
    }
  } catch {} // the platform is not reached
  setTimeout(() => void detectSimulation(), retryMs);
}
