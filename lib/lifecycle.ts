import { monotonicClock } from './clock.ts';
import type { Logger } from './log.ts';

type ShutdownOptions = { timeoutMs: number; log: Pick<Logger, 'info' | 'error'> };

/** A Ctrl-C comes twice under npm: from the terminal, and at once again from npm, which passes it on. */
export const signalEchoMs = 500;

/** The first SIGINT or SIGTERM closes and exits 0; a second one, a failure or `timeoutMs` exits 1. */
export function onShutdown(close: () => Promise<void>, { timeoutMs, log }: ShutdownOptions): void {
  let begunAt: number | undefined;

  function shutDown(signal: NodeJS.Signals): void {
    if (begunAt !== undefined) {
      if (monotonicClock.now() - begunAt < signalEchoMs) return;
      log.error({ signal }, 'second signal received, left without closing');
      process.exit(1);
    }
    begunAt = monotonicClock.now();
    log.info({ signal }, 'shutdown began');
    setTimeout(() => {
      log.error({ timeoutMs }, 'shutdown timed out, left without closing');
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
