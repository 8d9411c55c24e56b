import { randomUUID } from 'node:crypto';
import type { SharedSpending } from '#lib/rate-limit.ts';

type Channel = {
  publish(topic: string, payload: string): unknown;
  watch(topic: string, listener: (payload: string) => void): Promise<unknown>;
};

const topic = 'platform/spent'; // clients may neither publish nor subscribe below platform/

/** Tells the other processes of the platform what callers spent here, and hears it from them. */
export function createSharedSpending({ publish, watch }: Channel): SharedSpending & { start(): Promise<void> } {
  const self = randomUUID();
  const listeners = new Map<string, (key: string, calls: number) => void>();
  return {
    async start() {
      await watch(topic, (payload) => {
        const { from, budget, key, calls } = JSON.parse(payload);
        if (from !== self) listeners.get(budget)?.(key, calls);
      });
    },
    report: (budget, key, calls) => publish(topic, JSON.stringify({ from: self, budget, key, calls })),
    onReport: (budget, listener) => listeners.set(budget, listener),
  };
}
