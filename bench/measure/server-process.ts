import { type Start, startChild } from './child.ts';

export type Usage = {
  /** CPU time so far, microseconds: of all threads, and of the one with the event loop */
  cpuUs: number;
  loopUs: number;
  memoryMb: number;
  /** without mapped files */
  ownMb: number;
};

export type UsageAfterCollection = Usage & {
  /** private memory without the free part of the heaps */
  heldMb: number;
  /** of the heaps of all threads, with external memory */
  usedMb: number;
};

export type Addresses = { url: string; mqttUrl?: string | undefined };

export type Question = 'usage' | 'usage after collection';

export type ServerProcess = AsyncDisposable &
  Addresses & {
    usage(): Promise<Usage>;
    /** used so far, microseconds */
    cpuUs(): Promise<number>;
  };

/** One of ours. */
export type OwnServer = ServerProcess & {
  kill(): Promise<void>;
  /** after garbage collection */
  usageAfterCollection(): Promise<UsageAfterCollection>;
};

/** Starts a file of servers/. It exits when it is disposed of, and with this process. */
export async function startServer(file: string, start: Start = {}): Promise<OwnServer> {
  const child = startChild(file, start);
  const dispose = child[Symbol.asyncDispose];
  const addresses = await child.answer<Addresses>().catch(async (error: unknown) => {
    await dispose();
    throw error;
  });
  const ask = <Answer>(question: Question): Promise<Answer> => child.ask(question);
  const usage = (): Promise<Usage> => ask('usage');
  return {
    ...addresses,
    usage,
    kill: child.kill,
    usageAfterCollection: () => ask('usage after collection'),
    cpuUs: async () => (await usage()).cpuUs,
    [Symbol.asyncDispose]: dispose,
  };
}
