import { signal } from '@preact/signals';

/** Whether this platform plays a street: only then is there an answer. */
export const isSimulated = signal(false);

export async function askForSimulation(): Promise<void> {
  const answer = await fetch('/simulation', { headers: { accept: 'application/json' } });
  isSimulated.value = answer.ok;
}
