import type { MessagePort, Transferable, Worker } from 'node:worker_threads';

type Method = (...args: never[]) => Promise<unknown>;
export type Methods = Record<string, Method>;

type Request = { id: number; method: string; args: never[] };
type Failure = { message: string; stack: string | undefined; code: unknown; errcode: unknown };
type Reply = { id: number; result?: unknown; failure?: Failure };

/** Answers calls from another thread, each as soon as it comes. What is given away with a result is not copied. */
export function answerCalls<M extends Methods>(
  port: MessagePort,
  methods: M,
  givenAway: (result: Awaited<ReturnType<M[keyof M]>>) => Transferable[] = () => [],
): void {
  port.on('message', ({ id, method, args }: Request) => {
    methods[method]!(...args).then(
      (result) =>
        port.postMessage({ id, result } satisfies Reply, givenAway(result as Awaited<ReturnType<M[keyof M]>>)),
      (error: Error & { code?: unknown; errcode?: unknown }) => {
        const { message, stack, code, errcode } = error; // copied as it is, an error would lose its codes
        port.postMessage({ id, failure: { message, stack, code, errcode } } satisfies Reply);
      },
    );
  });
}

type Waiting = { resolve(result: never): void; reject(error: Error): void };

/** Calls methods at the other end of a port. While an answer is awaited, the port keeps the process running. */
export class Caller<M extends Methods> {
  readonly #port: MessagePort | Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #failure: Error | undefined;

  constructor(port: MessagePort | Worker) {
    this.#port = port;
    port.on('message', (reply: Reply) => this.#settle(reply));
    port.unref();
  }

  call<K extends keyof M & string>(method: K, args: Parameters<M[K]>, transfer: Transferable[] = []): ReturnType<M[K]> {
    return new Promise((resolve, reject) => {
      if (this.#failure) throw this.#failure;
      const id = ++this.#lastId;
      this.#waiting.set(id, { resolve, reject });
      this.#port.ref();
      this.#port.postMessage({ id, method, args }, transfer);
    }) as ReturnType<M[K]>;
  }

  /** Everything that waits fails, and all later calls do. */
  fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }

  #settle({ id, result, failure }: Reply): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#port.unref();
    if (failure) waiting?.reject(Object.assign(new Error(failure.message), failure));
    else waiting?.resolve(result as never);
  }
}
