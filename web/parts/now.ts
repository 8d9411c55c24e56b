import { signal } from '@preact/signals';

const tickMs = 1000;

export const browserTime = (): number => Date.now();

let correctionMs = 0;

/** Returns the time that the pages use: the browser's, corrected by the server's clock where that is known. */
export const timeNow = (): number => browserTime() + correctionMs;

/** The current time, updated every second while the page is visible. */
export const now = signal(timeNow());

/** Corrects the time of the pages for a clock that is `aheadMs` ahead of the browser's. */
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
