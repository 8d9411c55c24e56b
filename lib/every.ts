import type { Logger } from './log.ts';

/** Repeats a task that never overlaps itself; tells when it begins to fail and when it works again. */
export function every(ms: number, task: () => Promise<void>, what: string, log: Logger): NodeJS.Timeout {
  let isRunning = false;
  let isFailing = false;
  const run = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    try {
      await task();
      if (isFailing) log.info({ what }, 'works again');
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ err: error, what }, 'failed, will be tried again');
      isFailing = true;
    }
    isRunning = false;
  };
  return setInterval(() => void run(), ms).unref();
}
