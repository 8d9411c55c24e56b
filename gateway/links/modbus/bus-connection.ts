import { LinkError } from '../link-error.ts';
import type { ByteLine } from '../serial-line.ts';

type ConnectionOptions = {
  open(): Promise<ByteLine>;
  onData(bytes: Uint8Array): void;
  /** The line ended by itself. */
  onLost(error?: Error): void;
};

const failureHoldsMs = 1000; // who asks right after a failed attempt gets its error, not another attempt

/** The line of a bus: opened when it is needed, by one attempt for all who need it. */
export class BusConnection {
  line: ByteLine | undefined;
  openings = 0;
  /** pause that a device needs after it accepted the connection */
  delayMs = 0;
  readonly #options: ConnectionOptions;
  #attempt: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  #failure: unknown;
  #failedAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  open(): Promise<void> {
    this.#attempt ??= this.#open().finally(() => {
      this.#attempt = undefined;
    });
    return this.#attempt;
  }

  async #open(): Promise<void> {
    if (performance.now() - this.#failedAt < failureHoldsMs) throw this.#failure;
    try {
      await this.#closing;
      const line = await this.#options.open();
      this.openings++;
      await this.#settle(line);
      this.line = line;
    } catch (error) {
      this.#failure = error;
      this.#failedAt = performance.now();
      throw error;
    }
  }

  async #settle(line: ByteLine): Promise<void> {
    let isOver = false;
    line.onClose((error) => {
      isOver = true;
      if (this.line !== line) return;
      this.line = undefined;
      this.#options.onLost(error);
    });
    line.onData((bytes) => {
      if (this.line === line) this.#options.onData(bytes);
    });
    if (this.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.delayMs));
    if (this.#isClosed) {
      await line.close();
      throw new LinkError('The connection was closed while it was being opened.');
    }
    if (isOver) throw new LinkError('The device closed the connection at once.');
  }

  /** Gives the line up; the next `open` makes another one. */
  drop(): void {
    if (!this.line) return;
    this.#closing = this.line.close();
    this.line = undefined;
  }

  /** Is through when the port is free for others. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.drop();
    await this.#attempt?.catch(() => undefined); // told to those who wait for it
    await this.#closing;
  }
}
