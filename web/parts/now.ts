import { signal } from '@preact/signals';

const tickMs = 1000;

/** The time, once a second while somebody looks. */
export const now = signal(Date.now());

setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, tickMs);

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) now.value = Date.now();
});
