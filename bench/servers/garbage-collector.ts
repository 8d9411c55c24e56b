import { once } from 'node:events';
import { Session } from 'node:inspector/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const giveBackMs = 500; // freed memory is returned to the system in the background

/** The size of the heap of a thread, its used part, and external memory. */
type HeapUsage = { usedSize: number; totalSize: number; backingStorageSize: number };

/** Bytes of all heaps and their external memory. */
export type Heaps = { used: number; free: number };

/** Runs full collections in every thread of this process; returns the used and free bytes. */
export async function openCollector(): Promise<() => Promise<Heaps>> {
  const session = new Session(); // only one: every further one would leave garbage of its own
  session.connect();
  const threads = new Set<string>();
  session.on('NodeWorker.attachedToWorker', ({ params }) => threads.add(params.sessionId));
  session.on('NodeWorker.detachedFromWorker', ({ params }) => threads.delete(params.sessionId));
  await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });

  /** One request at a time, so that the next message is its answer. */
  async function ask(sessionId: string, method: string): Promise<unknown> {
    const answered = once(session, 'NodeWorker.receivedMessageFromWorker');
    await session.post('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify({ id: 1, method }) });
    const [{ params }] = await answered;
    return JSON.parse(params.message).result;
  }

  return async () => {
    for (const thread of threads) await ask(thread, 'HeapProfiler.collectGarbage');
    await session.post('HeapProfiler.collectGarbage');
    await sleep(giveBackMs);
    const heaps: unknown[] = [await session.post('Runtime.getHeapUsage')];
    for (const thread of threads) heaps.push(await ask(thread, 'Runtime.getHeapUsage'));
    return (heaps as HeapUsage[]).reduce(
      ({ used, free }, { usedSize, totalSize, backingStorageSize }) => ({
        used: used + usedSize + backingStorageSize,
        free: free + totalSize - usedSize,
      }),
      { used: 0, free: 0 },
    );
  };
}
