import { type Transferable, Worker } from 'node:worker_threads';
import { Caller, type Methods } from './calls.ts';

export type ThreadOptions = {
  script: URL;
  /** What it begins with. */
  given(): { workerData: unknown; transferList?: Transferable[] };
  /** Told once of each that ended by itself. */
  onLost(error: Error): void;
};

type Running<M extends Methods> = { worker: Worker; caller: Caller<M> };

// Small garbage is collected more often, and a thread takes half the memory.
const resourceLimits = { maxYoungGenerationSizeMb: 8 };

/**
 * A thread and its methods. It costs memory, so it begins with the first call; when it ends by itself, all that waits
 * for it fails, and the next call begins another.
 */
export class Thread<M extends Methods & { close(): Promise<void> }> {
  readonly #options: ThreadOptions;
  #running: Running<M> | undefined;
  #isClosed = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  call<K extends keyof M & string>(method: K, args: Parameters<M[K]>, transfer: Transferable[] = []): ReturnType<M[K]> {
    if (this.#isClosed) return Promise.reject(closed()) as ReturnType<M[K]>;
    this.#running ??= this.#begin();
    return this.#running.caller.call(method, args, transfer);
  }

  /** Lets it close what it has, and ends it for good. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (!this.#running) return;
    const { worker, caller } = this.#running;
    await caller.call('close', [] as unknown as Parameters<M['close']>);
    await worker.terminate();
  }

  #begin(): Running<M> {
    const { script, given, onLost } = this.#options;
    const { workerData, transferList = [] } = given();
    // How the program was started is not for its threads.
    const worker = new Worker(script, { workerData, transferList, execArgv: [], resourceLimits });
    const caller = new Caller<M>(worker);
    const ended = (error: Error): void => {
      if (this.#running?.worker !== worker) return; // an error is followed by the end
      this.#running = undefined;
      caller.fail(error);
      if (!this.#isClosed) onLost(error);
    };
    worker.on('error', (error) => ended(error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', (code) => ended(this.#isClosed ? closed() : new Error(`A thread ended with code ${code}.`)));
    return { worker, caller };
  }
}

const closed = (): Error => new Error('The telemetry store is closed.');
