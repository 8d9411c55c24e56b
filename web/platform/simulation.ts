import { signal } from '@preact/signals';
import type { Simulation } from '#contract/simulation.ts';

/** What is played, as it truly is; every change answers with it too. */
export const simulation = signal<Simulation | undefined>(undefined);

/** Whether this platform plays a street: only then is there an answer. */
export const isSimulated = signal(false);

const againMs = 5000;

/** Asks until the platform answers. */
export async function askForSimulation(): Promise<void> {
  try {
    const answer = await fetch('/simulation', { headers: { accept: 'application/json' } });
    if (answer.status < 500) {
      isSimulated.value = answer.ok;
      return;
    }
  } catch {} // the platform is not reached
  setTimeout(() => void askForSimulation(), againMs);
}
