// The parts we use; the package has no types.
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  type Options = {
    url: string;
    requests: { method: string; path: string; headers: Record<string, string>; body?: string }[];
    connections: number;
    amount: number;
    bailout: number;
    sampleInt: number;
  };

  export default function autocannon(options: Options): EventEmitter & { stop(): void };
}
