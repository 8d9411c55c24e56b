import { type MessagePort, type Transferable, Worker } from 'node:worker_threads';

type Method<Result = unknown> = (...args: never[]) => Promise<Result>;
export type Methods = Record<string, Method>;
type Called<M extends Methods, K extends keyof M> = Promise<Awaited<ReturnType<M[K]>>>;

type Request = { id: number; method: string; args: never[] };
type Failure = { message: string; stack: string | undefined; code: unknown; errcode: unknown };
type Reply = { id: number; result?: unknown; failure?: Failure };

/** Serves calls from another thread. Buffers that `transferOf` returns are transferred with the result instead of copied. */
export function serveCalls<Result>(
  port: MessagePort | null,
  methods: Record<string, Method<Result>>,
  transferOf: (result: Result) => Transferable[] = () => [],
): void {
  if (!port) throw new Error('This file runs in a thread only.');
  const answer = async ({ id, method, args }: Request): Promise<void> => {
    try {
      const call = methods[method];
      if (!call) throw new Error(`Unknown method ${method}.`);
      const result = await call(...args);
      port.postMessage({ id, result } satisfies Reply, transferOf(result));
    } catch (error) {
      const { message, stack, code, errcode }: Failure = Object(error); // structured cloning would lose the codes
      port.postMessage({ id, failure: { message, stack, code, errcode } } satisfies Reply);
    }
  };
  port.on('message', (request: Request) => void answer(request));
}

type Waiting = { resolve(result: never): void; reject(error: Error): void };

/** Calls methods at the other end of a port. The port keeps the process alive while a call is pending. */
export class Caller<M extends Methods> {
  readonly #port: MessagePort | Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #failure: Error | undefined;

  constructor(port: MessagePort | Worker) {
    this.#port = port;
    port.on('message', (reply: Reply & { result: never }) => this.#settle(reply));
    port.unref();
  }

  call<K extends keyof M & string>(method: K, args: Parameters<M[K]>, transfer: Transferable[] = []): Called<M, K> {
    return this.send(method, args, transfer);
  }

  /** Sends a call whose types are not checked. */
  send(method: string, args: readonly unknown[], transfer: Transferable[] = []): Promise<never> {
    return new Promise((resolve, reject) => {
      if (this.#failure) throw this.#failure;
      const id = ++this.#lastId;
      this.#waiting.set(id, { resolve, reject });
      this.#port.ref();
      this.#port.postMessage({ id, method, args }, transfer);
    });
  }

  /** Rejects all pending and later calls. */
  fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }

  #settle({ id, result, failure }: Reply & { result: never }): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#port.unref();
    if (failure) waiting?.reject(Object.assign(new Error(failure.message), failure));
    else waiting?.resolve(result);
  }
}

type ThreadOptions = {
  script: URL;
  /** Returns the options of a new worker. */
  given(): { workerData: unknown; transferList?: Transferable[] };
  /** Called once for each thread that ended unexpectedly. */
  onLost(error: Error): void;
};

type Running<M extends Methods> = { worker: Worker; caller: Caller<M> };

// A small young generation halves the memory of a thread.
const resourceLimits = { maxYoungGenerationSizeMb: 8 };

/** A worker thread, started by the first call. If it ends unexpectedly, pending calls reject and the next restarts it. */
export class Thread<M extends Methods & { close(): Promise<void> }> {
  readonly #options: ThreadOptions;
  /** Its methods as functions. */
  readonly methods: M;
  #running: Running<M> | undefined;
  #isClosed = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
    const get =
      (_: M, method: string) =>
      (...args: Parameters<M[string]>) =>
        this.call(method, args);
    this.methods = new Proxy(Object.create(null), { get });
  }

  call<K extends keyof M & string>(method: K, args: Parameters<M[K]>, transfer: Transferable[] = []): Called<M, K> {
    if (this.#isClosed) return Promise.reject(closed());
    this.#running ??= this.#begin();
    return this.#running.caller.call(method, args, transfer);
  }

  /** Calls its `close` method and terminates it for good. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (!this.#running) return;
    const { worker, caller } = this.#running;
    await caller.send('close', []);
    await worker.terminate();
  }

  #begin(): Running<M> {
    const { script, given, onLost } = this.#options;
    const { workerData, transferList = [] } = given();
    // Threads do not inherit the program's Node options.
    const worker = new Worker(script, { workerData, transferList, execArgv: [], resourceLimits });
    const caller = new Caller<M>(worker);
    const ended = (error: Error): void => {
      if (this.#running?.worker !== worker) return; // an error event is followed by an exit event
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
