import { signal } from '@preact/signals';

const tickMs = 1000;

/** The time of the browser. */
export const timeNow = (): number => Date.now();

/** The time, once a second while somebody looks. */
export const now = signal(timeNow());

setInterval(() => {
  if (!document.hidden) now.value = timeNow();
}, tickMs);

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) now.value = timeNow();
});
