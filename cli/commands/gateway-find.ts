import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from 'bonjour-service';
import { UsageError } from '../line/command.ts';
import { report } from '../line/report.ts';
import { printable, tableOf } from '../terminal/output.ts';

const defaultSeconds = 3;

const find = report('gateway find', {
  summary: 'Find gateways on the local network (mDNS)',
  options: { seconds: { value: 'NUMBER', help: `how long to search. Default ${defaultSeconds}` } },
  examples: ['gateway find', 'gateway find --seconds 10 --json'],
  async run({ options }, shell) {
    const seconds = Number(options.seconds ?? defaultSeconds);
    if (!(seconds > 0 && seconds <= 600)) throw new UsageError('--seconds must be more than 0 and at most 600.');
    const found = await findGateways(seconds * 1000, shell.untilInterrupted());
    const nothing =
      'No gateway found on this network. For one on another network, give its address: --gateway http://<address>:8081';
    const text = found.length === 0 ? nothing : tableOf(found, ['gateway_serial', 'name', 'url', 'host']);
    return { result: found, text };
  },
});

export const findCommands = [find];

export type FoundGateway = { gateway_serial: string; name: string; url: string; host: string };

/** Finds the gateways that announce themselves on the local network within this time (RFC 6762, 6763). */
async function findGateways(lookMs: number, signal: AbortSignal): Promise<FoundGateway[]> {
  const { default: Bonjour } = await import('bonjour-service');
  const failed = Promise.withResolvers<never>();
  const bonjour = new Bonjour({}, failed.reject);
  // Another responder may hold the mDNS port exclusively.
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

/** Reads the announcement of a gateway; other HTTP services lack its serial and API path. */
function gatewayOf({ name, host, port, addresses, txt }: Service): FoundGateway[] {
  const { id, path }: { id?: unknown; path?: unknown } = txt ?? {};
  if (typeof id !== 'string' || path !== '/api') return [];
  const address = addresses?.find((text) => /^\d+(\.\d+){3}$/.test(text)) ?? host;
  const url = `http://${address}:${port}`;
  return URL.canParse(url)
    ? [{ gateway_serial: printable(id), name: printable(name), url, host: printable(host) }]
    : [];
}
