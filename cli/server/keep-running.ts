import { flushCompileCache } from 'node:module';
import { growHeapWhenBusy } from '#lib/heap.ts';
import { onShutdown } from '#lib/lifecycle.ts';
import type { Logger } from '#lib/log.ts';
import { within } from '#lib/within.ts';
import type { Shell } from '../line/command.ts';
import { columns } from '../terminal/output.ts';

export const shutdownMs = 10_000;

type Running = {
  close(): Promise<void>;
  log: Logger;
  /** how long clients are moved to other processes before closing begins */
  drainMs?: number;
};

/** Keeps a started program running until a signal stops it, and prints a summary on a terminal. */
export function keepRunning({ close, log, drainMs = 0 }: Running, rows: string[][], { stdout }: Shell): void {
  growHeapWhenBusy();
  flushCompileCache(); // now, because a server is often killed before it could do so on exit
  onShutdown(close, { timeoutMs: shutdownMs + drainMs, log });
  if (stdout.isTTY) stdout.write(`\n${columns(rows)}\n\nPress Ctrl-C to stop.\n`);
}

/** Closes a program that is about to exit. Logs a failure, or a close that exceeds the time limit. */
export async function closeInTime({ close, log }: Pick<Running, 'close'> & { log: Pick<Logger, 'error'> }) {
  try {
    await within(shutdownMs, close(), () => {
      throw new Error(`Closing took longer than ${shutdownMs} ms.`);
    });
  } catch (error) {
    log.error({ err: error }, 'exited without closing cleanly');
  }
}
