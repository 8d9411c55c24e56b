import type { TransportEvents } from '../transport.ts';

/** Tells when a gateway's first connection comes and its last one goes. */
export function createPresence(tell: TransportEvents['presence']) {
  const connected = new Map<string, number>();
  return {
    came(serial: string): void {
      const before = connected.get(serial) ?? 0;
      connected.set(serial, before + 1);
      if (before === 0) tell(serial, true);
    },
    went(serial: string): void {
      const left = connected.get(serial)! - 1;
      if (left > 0) return void connected.set(serial, left);
      connected.delete(serial);
      tell(serial, false);
    },
  };
}
