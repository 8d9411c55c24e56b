import { signal } from '@preact/signals';

const tickMs = 1000;

/** The time of the browser. */
export const browserTime = (): number => Date.now();

let correctionMs = 0;

/** The time that the pages go by: that of the browser, unless it was corrected. */
export const timeNow = (): number => browserTime() + correctionMs;

/** The time, once a second while somebody looks. */
export const now = signal(timeNow());

/** Where somebody else knows the time better: how far they are ahead of the browser. */
export function correctTime(aheadMs: number): void {
  if (aheadMs === correctionMs) return;
  correctionMs = aheadMs;
  now.value = timeNow();
}

setInterval(() => {
  if (!document.hidden) now.value = timeNow();
}, tickMs);

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) now.value = timeNow();
});
