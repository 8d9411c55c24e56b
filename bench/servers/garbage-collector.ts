import { Session } from 'node:inspector/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const giveBackMs = 500; // what was collected goes back to the system in the background
const collecting = { id: 1, method: 'HeapProfiler.collectGarbage' } as const;

/** Makes full collections in every thread of this process: what is left after one is held by somebody. */
export async function openCollector(): Promise<() => Promise<void>> {
  const session = new Session(); // only one: every further one would leave something behind itself
  session.connect();
  const threads = new Set<string>();
  session.on('NodeWorker.attachedToWorker', ({ params }) => threads.add(params.sessionId));
  session.on('NodeWorker.detachedFromWorker', ({ params }) => threads.delete(params.sessionId));
  await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  return async () => {
    const message = JSON.stringify(collecting);
    for (const sessionId of threads) await session.post('NodeWorker.sendMessageToWorker', { sessionId, message });
    await session.post(collecting.method);
    await sleep(giveBackMs);
  };
}
