import { flushCompileCache } from 'node:module';
import { onShutdown } from '#lib/lifecycle.ts';
import type { Logger } from '#lib/log.ts';
import type { Shell } from './command.ts';
import { columns } from './output.ts';

const shutdownMs = 10_000;

type Running = { close(): Promise<void>; log: Logger };

/** Lets a program run that has started, until it is told to stop; somebody who sits before it is told what it is. */
export function keepRunning({ close, log }: Running, rows: string[][], { stdout }: Shell): void {
  flushCompileCache(); // at its end may be too late: a server is often killed
  onShutdown(close, { timeoutMs: shutdownMs, log });
  if (stdout.isTTY) stdout.write(`\n${columns(rows)}\n\nCtrl-C stops it.\n`);
}
