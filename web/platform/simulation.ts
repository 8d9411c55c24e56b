import { signal } from '@preact/signals';

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
