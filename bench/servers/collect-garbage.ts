import { Session } from 'node:inspector/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const giveBackMs = 500; // what was collected goes back to the system in the background

/** A full collection in every thread of this process: what is left afterwards is held by somebody. */
export async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  const collect = { id: 1, method: 'HeapProfiler.collectGarbage' } as const;
  const collected: Promise<unknown>[] = [session.post(collect.method)];
  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId } }) => {
    collected.push(session.post('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify(collect) }));
  });
  await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  await Promise.all(collected);
  await sleep(giveBackMs);
  session.disconnect();
}
