import type { Logger } from './log.ts';

type ShutdownOptions = { timeoutMs: number; log: Pick<Logger, 'info' | 'error'> };

/** The first SIGINT or SIGTERM closes and exits 0; a second one, a failure or `timeoutMs` exits 1. */
export function onShutdown(close: () => Promise<void>, { timeoutMs, log }: ShutdownOptions): void {
  let isClosing = false;

  function shutDown(signal: NodeJS.Signals): void {
    if (isClosing) {
      log.error({ signal }, 'second signal received, left without closing');
      process.exit(1);
    }
    isClosing = true;
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
