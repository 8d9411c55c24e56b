import { networkInterfaces } from 'node:os';
import { announcementOf } from '#contract/gateway/announcement.ts';
import type { Logger } from '#lib/log.ts';
import { within } from '#lib/within.ts';

type AnnounceOptions = { serial: string; name?: string | undefined; port: number; log: Logger };

const lookMs = 15_000;
const goodbyeMs = 1000;

/** Announces the gateway in the local network as <name>.local and as an HTTP service (RFC 6762, 6763). */
export async function announce({ serial, name = `zap-${serial}`, port, log }: AnnounceOptions) {
  const failed = (error: unknown): void => log.warn({ err: error }, 'failed to announce the gateway');
  // Loaded on demand, because the announcement is optional.
  const { default: Bonjour } = await import('bonjour-service');
  const bonjour = new Bonjour({}, failed);
  // The port of mDNS can be taken by a responder that does not share it.
  (bonjour as unknown as { server: { mdns: NodeJS.EventEmitter } }).server.mdns.on('error', failed);

  const host = `${name.replaceAll(/[^A-Za-z0-9-]/g, '-')}.local`;
  // The serial makes the name unique, so no probe is needed.
  const txt = announcementOf(serial);
  const publish = () => bonjour.publish({ name, host, type: 'http', port, txt, probe: false });
  let service = publish();
  let addresses = ownAddresses();

  /** Announces again when the addresses change, which the library does not notice. */
  const timer = setInterval(() => {
    const current = ownAddresses();
    if (current === addresses) return;
    addresses = current;
    service.stop(() => {
      service = publish();
    });
  }, lookMs).unref();
  log.info({ host, port }, 'gateway announced');

  return {
    async close(): Promise<void> {
      clearInterval(timer);
      await within(goodbyeMs, new Promise<void>((resolve) => bonjour.unpublishAll(resolve)));
      await new Promise<void>((resolve) => bonjour.destroy(resolve));
    },
  };
}

const ownAddresses = (): string =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses?.map(({ address }) => address) ?? [])
    .sort()
    .join();
