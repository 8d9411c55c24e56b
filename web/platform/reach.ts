import { signal } from '@preact/signals';

/** Whether the platform cannot be reached. It is asked again until it answers. */
export const isUnreachable = signal(false);

const firstMs = 1000;
const longestMs = 15_000;

let waiting: ReturnType<typeof setTimeout> | undefined;
let isAsking = false;

/** Asks whether the platform answers at all, after a request that it did not answer. */
export function noteNoAnswer(): void {
  if (!waiting && !isAsking) void ask(firstMs);
}

/** Asks at once instead of waiting for the next time. */
export async function retryNow(): Promise<void> {
  if (isAsking) return;
  clearTimeout(waiting);
  waiting = undefined;
  await ask(firstMs);
}

async function ask(waitMs: number): Promise<void> {
  isAsking = true;
  const isThere = await fetch('/health', { cache: 'no-store' }).then(
    ({ status }) => ![502, 504].includes(status), // a proxy answers for a platform that is down
    () => false,
  );
  isAsking = false;
  const wasUnreachable = isUnreachable.peek();
  isUnreachable.value = !isThere;
  if (isThere) {
    waiting = undefined;
    if (wasUnreachable) dispatchEvent(new Event('online')); // what failed is loaded again
    return;
  }
  waiting = setTimeout(() => void ask(Math.min(waitMs * 1.5, longestMs)), waitMs);
}

addEventListener('online', (event) => {
  if (event.isTrusted && isUnreachable.peek()) void retryNow();
});
