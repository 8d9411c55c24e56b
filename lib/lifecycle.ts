import { monotonicClock } from './clock.ts';
import type { Logger } from './log.ts';

type ShutdownOptions = { timeoutMs: number; log: Pick<Logger, 'info' | 'error'> };

/** Under npm a Ctrl-C arrives twice: from the terminal, and forwarded by npm right after. */
export const signalEchoMs = 500;

/** The first SIGINT or SIGTERM closes and exits 0; a second one, a failure or `timeoutMs` exits 1. */
export function onShutdown(close: () => Promise<void>, { timeoutMs, log }: ShutdownOptions): void {
  let startedAt: number | undefined;

  function shutDown(signal: NodeJS.Signals): void {
    if (startedAt !== undefined) {
      if (monotonicClock.now() - startedAt < signalEchoMs) return;
      log.error({ signal }, 'second signal received, exiting without closing');
      process.exit(1);
    }
    startedAt = monotonicClock.now();
    log.info({ signal }, 'shutdown started');
    setTimeout(() => {
      log.error({ timeoutMs }, 'shutdown timed out, exiting without closing');
      process.exit(1);
    }, timeoutMs);
    void closeAndExit();
  }

  async function closeAndExit(): Promise<never> {
    try {
      await close();
    } catch (error) {
      log.error({ err: error }, 'shutdown failed');
      process.exit(1);
    }
    log.info('shutdown completed');
    process.exit(0);
  }

  process.on('SIGINT', shutDown);
  process.on('SIGTERM', shutDown);
}
