import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from 'bonjour-service';
import { printable } from '../terminal/printable.ts';

export type FoundGateway = { gateway_serial: string; name: string; url: string; host: string };

/** The gateways that announce themselves on the local network within this time (RFC 6762, 6763). */
export async function findGateways(lookMs: number, signal: AbortSignal): Promise<FoundGateway[]> {
  const { default: Bonjour } = await import('bonjour-service');
  const failed = Promise.withResolvers<never>();
  const bonjour = new Bonjour({}, failed.reject);
  // The port of mDNS can be taken by a responder that does not share it.
  (bonjour as unknown as { server: { mdns: NodeJS.EventEmitter } }).server.mdns.on('error', failed.reject);
  const browser = bonjour.find({ type: 'http' });
  try {
    await Promise.race([sleep(lookMs, undefined, { signal }), failed.promise]);
    return browser.services.flatMap(gatewayOf);
  } finally {
    browser.stop();
    await new Promise<void>((resolve) => bonjour.destroy(resolve));
  }
}

/** Other things announce pages too; a gateway tells its serial and where its API is. */
function gatewayOf({ name, host, port, addresses, txt }: Service): FoundGateway[] {
  const { id, path } = (txt ?? {}) as { id?: unknown; path?: unknown };
  if (typeof id !== 'string' || path !== '/api') return [];
  const address = addresses?.find((text) => /^\d+(\.\d+){3}$/.test(text)) ?? host;
  const url = `http://${address}:${port}`;
  return URL.canParse(url)
    ? [{ gateway_serial: printable(id), name: printable(name), url, host: printable(host) }]
    : [];
}
