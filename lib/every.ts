import type { Logger } from './log.ts';

/** Repeats a task without overlapping. Logs when it begins to fail and when it succeeds again. */
export function every(ms: number, task: () => Promise<void>, what: string, log: Logger): NodeJS.Timeout {
  let isRunning = false;
  let isFailing = false;
  const run = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    try {
      await task();
      if (isFailing) log.info({ what }, 'task succeeds again');
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ err: error, what }, 'task failed, will be retried');
      isFailing = true;
    }
    isRunning = false;
  };
  return setInterval(() => void run(), ms).unref();
}
