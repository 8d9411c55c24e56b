import { flushCompileCache } from 'node:module';
import { onShutdown } from '#lib/lifecycle.ts';
import type { Logger } from '#lib/log.ts';
import type { Shell } from '../line/command.ts';
import { columns } from '../terminal/output.ts';

export const shutdownMs = 10_000;

type Running = { close(): Promise<void>; log: Logger };

/** Lets a program run that has started, until it is told to stop; somebody who sits before it is told what it is. */
export function keepRunning({ close, log }: Running, rows: string[][], { stdout }: Shell): void {
  flushCompileCache(); // at its end may be too late: a server is often killed
  onShutdown(close, { timeoutMs: shutdownMs, log });
  if (stdout.isTTY) stdout.write(`\n${columns(rows)}\n\nCtrl-C stops it.\n`);
}

/** Closes a program that leaves in any case: what fails, or takes longer than a shutdown may, is told. */
export async function closeInTime({ close, log }: Pick<Running, 'close'> & { log: Pick<Logger, 'error'> }) {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`It took longer than ${shutdownMs} ms.`)), shutdownMs);
  try {
    await Promise.race([close(), late.promise]);
  } catch (error) {
    log.error({ err: error }, 'left without closing');
  } finally {
    clearTimeout(timer);
  }
}
