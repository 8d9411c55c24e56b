import { memoryOf } from '../measure/process-memory.ts';
import type { Addresses, Question, Usage } from '../measure/server-process.ts';
import { openCollector } from './garbage-collector.ts';

/** Tells the bench where we listen and, whenever it asks, what we used so far. Ends when the bench lets go. */
export function report(addresses: Addresses, close: () => Promise<void>): void {
  let collector: ReturnType<typeof openCollector> | undefined;
  process.on('message', async (question: Question) => {
    if (question === 'usage after collection') {
      collector ??= openCollector();
      await (await collector)();
    }
    const total = process.cpuUsage();
    const loop = process.threadCpuUsage();
    const usage: Usage = {
      cpuUs: total.user + total.system,
      loopUs: loop.user + loop.system,
      ...memoryOf(process.pid),
    };
    process.send?.(usage);
  });
  process.on('disconnect', () => {
    void close().finally(() => process.exit());
  });
  process.send?.(addresses);
}
