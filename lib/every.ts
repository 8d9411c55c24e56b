import type { Logger } from './log.ts';

/** Logs when something begins to fail and when it works again, and nothing in between. */
export function createFailureLog(log: Logger, messages: { failed: string; again: string }) {
  let isFailing = false;
  return {
    failed(error: unknown, fields: object = {}): void {
      if (!isFailing) log.warn({ err: error, ...fields }, messages.failed);
      isFailing = true;
    },
    succeeded(fields: object = {}): void {
      if (isFailing) log.info(fields, messages.again);
      isFailing = false;
    },
  };
}

/** Repeats a task without overlapping, and logs its failures. */
export function every(ms: number, task: () => Promise<void>, what: string, log: Logger): NodeJS.Timeout {
  const outcome = createFailureLog(log, { failed: 'task failed, will be retried', again: 'task succeeds again' });
  let isRunning = false;
  const run = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    try {
      await task();
      outcome.succeeded({ what });
    } catch (error) {
      outcome.failed(error, { what });
    }
    isRunning = false;
  };
  return setInterval(() => void run(), ms).unref();
}

type Task = readonly [ms: number, task: () => Promise<void>, what: string];

/** Repeats tasks, each as `every` does, from `start` to `stop`. */
export function createSchedule(log: Logger, ...tasks: Task[]) {
  let timers: NodeJS.Timeout[] = [];
  return {
    start(): void {
      timers = tasks.map(([ms, task, what]) => every(ms, task, what, log));
    },
    stop(): void {
      for (const timer of timers) clearInterval(timer);
    },
  };
}
