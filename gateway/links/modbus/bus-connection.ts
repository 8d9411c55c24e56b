import { LinkError } from '../link-error.ts';
import type { ByteLine } from '../serial-line.ts';

type ConnectionOptions = {
  open(): Promise<ByteLine>;
  onData(bytes: Uint8Array): void;
  /** The line ended without `close` or `drop`. */
  onLost(error?: Error): void;
};

const failureHoldsMs = 1000; // a request right after a failed attempt gets its error, not another attempt

/** The line of a bus, which is opened again when it was lost or dropped. */
export class BusConnection {
  line: ByteLine | undefined;
  openings = 0;
  /** pause that a device needs after it accepted the connection */
  delayMs = 0;
  readonly #options: ConnectionOptions;
  #closing: Promise<void> | undefined;
  #failure: unknown;
  #failedAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
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

  /** Closes the line; the next `open` opens another one. */
  drop(): void {
    if (!this.line) return;
    this.#closing = this.line.close();
    this.line = undefined;
  }

  /** Returns when the port is free for others, except for a line that is being opened: `open` closes it and throws. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.drop();
    await this.#closing;
  }
}
