import { memoryOf } from '../measure/process-memory.ts';
import type { Addresses, Question, Usage, UsageAfterCollection } from '../measure/server-process.ts';
import { openCollector } from './garbage-collector.ts';

/** Reports our address to the benchmark and, on request, our resource use. Exits with the benchmark. */
export function report(addresses: Addresses, close: () => Promise<void>): void {
  let collector: ReturnType<typeof openCollector> | undefined;

  async function usageAfterCollection(): Promise<UsageAfterCollection> {
    collector ??= openCollector();
    const { used, free } = await (await collector)();
    const now = usage();
    return { ...now, usedMb: used / 1e6, heldMb: now.ownMb - free / 1e6 };
  }

  process.on('message', (question: Question) => {
    if (question === 'usage') process.send?.(usage());
    else void usageAfterCollection().then((told) => process.send?.(told));
  });
  process.on('disconnect', () => {
    void close().finally(() => process.exit());
  });
  process.send?.(addresses);
}

function usage(): Usage {
  const total = process.cpuUsage();
  const loop = process.threadCpuUsage();
  return { cpuUs: total.user + total.system, loopUs: loop.user + loop.system, ...memoryOf(process.pid) };
}
