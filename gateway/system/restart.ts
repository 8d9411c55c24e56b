import type { Logger } from '#lib/log.ts';

export type Restart = {
  /** Reboots after a delay, so that the response can be sent first. */
  schedule(reason: string, delayMs: number): void;
  close(): void;
};

type RestartDeps = { reboot(reason: string): Promise<void> | void; log: Logger };

/** Schedules reboots; the earliest one applies. */
export function createRestart({ reboot, log }: RestartDeps): Restart {
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
    schedule(reason, delayMs) {
      const at = performance.now() + delayMs;
      if (pending && pending.at <= at) return;
      clearTimeout(pending?.timer);
      log.info({ reason, delayMs }, 'reboot scheduled');
      pending = { timer: setTimeout(() => void run(reason), delayMs), at };
    },
    close: () => clearTimeout(pending?.timer),
  };
}
