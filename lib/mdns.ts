import type { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

export type AnnouncedService = {
  name: string;
  host: string;
  port: number;
  addresses?: string[];
  txt?: Record<string, unknown>;
};

/** Finds the HTTP services that announce themselves on the local network within this time (RFC 6762, 6763). */
export async function findHttpServices(lookMs: number, signal?: AbortSignal): Promise<AnnouncedService[]> {
  const { default: Bonjour } = await import('bonjour-service'); // loaded on demand
  const failed = Promise.withResolvers<never>();
  const bonjour = new Bonjour({}, failed.reject);
  // Another responder may hold the mDNS port exclusively.
  (bonjour as unknown as { server: { mdns: EventEmitter } }).server.mdns.on('error', failed.reject);
  const browser = bonjour.find({ type: 'http' });
  try {
    await Promise.race([sleep(lookMs, undefined, { ...(signal && { signal }) }), failed.promise]);
    return browser.services;
  } finally {
    browser.stop();
    await new Promise<void>((resolve) => bonjour.destroy(resolve));
  }
}
