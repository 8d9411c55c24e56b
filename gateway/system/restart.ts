import type { Logger } from '#lib/log.ts';

export type Restart = ReturnType<typeof createRestart>;

/** Schedules reboots; the earliest one applies. */
export function createRestart({ reboot, log }: { reboot(reason: string): Promise<void> | void; log: Logger }) {
  let pending: { timer: NodeJS.Timeout; at: number } | undefined;

  async function run(reason: string): Promise<void> {
    pending = undefined;
    try {
      await reboot(reason);
    } catch (error) {
      log.error({ err: error, reason }, 'reboot failed');
    }
  }

  return {
    /** Reboots after a delay, so that the response can be sent first. */
    schedule(reason: string, delayMs: number): void {
      const at = performance.now() + delayMs;
      if (pending && pending.at <= at) return;
      clearTimeout(pending?.timer);
      log.info({ reason, delayMs }, 'reboot scheduled');
      pending = { timer: setTimeout(() => void run(reason), delayMs), at };
    },
    close: () => clearTimeout(pending?.timer),
  };
}
