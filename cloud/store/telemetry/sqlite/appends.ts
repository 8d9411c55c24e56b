import type { Sample, TelemetryStore } from '../telemetry-store.ts';
import { type Batch, packBatch } from './batch.ts';

type Waiting = { samples: readonly Sample[]; resolve(repeated: readonly number[]): void; reject(error: unknown): void };

/** Sends one batch at a time; what comes meanwhile goes together in the next, so that it costs one flush of the disk. */
export function createAppends(send: (batch: Batch) => Promise<readonly number[]>): TelemetryStore['append'] {
  let waiting: Waiting[] = [];
  let isSending = false;

  async function sendAll(): Promise<void> {
    isSending = true;
    while (waiting.length > 0) {
      const together = waiting;
      waiting = [];
      try {
        const repeated = await send(
          packBatch(together.length === 1 ? together[0]!.samples : together.flatMap(({ samples }) => samples)),
        );
        for (const { resolve } of together) resolve(repeated);
      } catch (error) {
        for (const { reject } of together) reject(error);
      }
    }
    isSending = false;
  }

  return (samples) =>
    new Promise((resolve, reject) => {
      waiting.push({ samples, resolve, reject });
      if (!isSending) void sendAll();
    });
}
