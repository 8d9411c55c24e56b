import { type Start, startChild } from './child.ts';

export type Usage = {
  /** CPU time so far, microseconds: of all threads, and of the one with the event loop */
  cpuUs: number;
  loopUs: number;
  memoryMb: number;
  /** without mapped files */
  ownMb: number;
};

export type Addresses = { url: string; mqttUrl?: string | undefined };

export type ServerProcess = AsyncDisposable &
  Addresses & {
    usage(): Promise<Usage>;
    /** used so far, microseconds */
    cpuUs(): Promise<number>;
  };

/** Starts a file of servers/. It ends when it is disposed of, and when we end. */
export async function startServer(file: string, start: Start = {}): Promise<ServerProcess> {
  const child = startChild(file, start);
  const dispose = child[Symbol.asyncDispose];
  const addresses = await child.answer<Addresses>().catch(async (error: unknown) => {
    await dispose();
    throw error;
  });
  const usage = (): Promise<Usage> => child.ask('usage');
  return {
    ...addresses,
    usage,
    cpuUs: async () => (await usage()).cpuUs,
    [Symbol.asyncDispose]: dispose,
  };
}
