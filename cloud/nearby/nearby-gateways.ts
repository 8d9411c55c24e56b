import { createClient } from '#contract/client.ts';
import { announcedSerial } from '#contract/gateway/announcement.ts';
import { getCrypto, signMessage } from '#contract/gateway/identity.ts';
import { getStatus } from '#contract/gateway/status.ts';
import { getSystem } from '#contract/gateway/system.ts';
import { Problem } from '#contract/problem.ts';
import { isSerial } from '#contract/schema.ts';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import { findHttpServices } from '#lib/mdns.ts';
import { createOwnNetwork } from './own-network.ts';

export type NearbyGateways = ReturnType<typeof createNearbyGateways>;

/** A gateway that has answered. Everything except the address is what the gateway says. */
export type SeenGateway = {
  url: string;
  serial: string;
  publicKey: string;
  name: string;
  isClaimed: boolean;
  isConnected: boolean;
  broker?: string;
  clockAheadS: number;
};

type NearbyOptions = {
  /** addresses of gateways on this machine, which may announce nothing */
  ownGateways?: (() => readonly string[]) | undefined;
  clock: Clock;
  log: Logger;
  ownNetwork?: ReturnType<typeof createOwnNetwork>;
  search?: typeof findHttpServices;
};

const lookMs = 1500;
const keptMs = 4000;
const answerMs = 3000;
const maxGateways = 32;
const maxAnswerBytes = 64 * 1024;

/** Finds the gateways on the local network of this machine: one search at a time, for all callers. */
export function createNearbyGateways(options: NearbyOptions) {
  const { ownGateways = () => [], clock, log, ownNetwork = createOwnNetwork(), search = findHttpServices } = options;
  let last: { at: number; found: Promise<SeenGateway[]> } | undefined;

  async function findAddresses(): Promise<Address[]> {
    const own: Address[] = ownGateways().map((url) => ({ url }));
    try {
      const services = await search(lookMs);
      const announced = services.flatMap(({ port, addresses = [], txt }) => {
        const serial = announcedSerial(txt);
        // Anyone on the network can announce any address: the platform calls none that is not on this network.
        const address = addresses.find((text) => /^[\d.]+$/.test(text) && ownNetwork.isNeighbour(text));
        return serial && address ? [{ url: `http://${address}:${port}`, serial }] : [];
      });
      return [...own, ...announced].slice(0, maxGateways);
    } catch (error) {
      log.warn({ err: error }, 'failed to search for gateways on the local network');
      return own;
    }
  }

  async function findNow(): Promise<SeenGateway[]> {
    const addresses = await findAddresses();
    const seen = await Promise.all(addresses.map((address) => look(address, clock.now()).catch(() => undefined)));
    const bySerial = new Map<string, SeenGateway>();
    for (const gateway of seen) if (gateway && !bySerial.has(gateway.serial)) bySerial.set(gateway.serial, gateway);
    return [...bySerial.values()];
  }

  function find(): Promise<SeenGateway[]> {
    const now = clock.now();
    if (!last || now < last.at || now - last.at > keptMs) last = { at: now, found: findNow() };
    return last.found;
  }

  return { find, isSentNearby: ownNetwork.isSentNearby };
}

type Address = { url: string; serial?: string };

async function look({ url, serial: announced }: Address, nowMs: number): Promise<SeenGateway | undefined> {
  const client = clientOf(url);
  const ask = { signal: AbortSignal.timeout(answerMs) };
  const [identity, system, status] = await Promise.all([
    client.call(getCrypto, ask),
    client.call(getSystem, ask),
    client.call(getStatus, ask),
  ]);
  const { serialNumber: serial, publicKey } = identity;
  if (!isSerial(serial) || (announced ?? serial) !== serial) return undefined;
  // The answer is checked, because anyone on the network can send one.
  const { claimed }: { claimed: unknown } = status;
  const { connected, broker }: { connected: unknown; broker?: unknown } = status.uplink;
  const { time_utc_sec }: { time_utc_sec: unknown } = system;
  return {
    url,
    serial,
    publicKey: printable(publicKey, 256),
    name: printable(system.gateway_info.name, 64) || serial,
    isClaimed: claimed === true,
    isConnected: connected === true,
    ...(typeof broker === 'string' && { broker: printable(broker, 300) }),
    clockAheadS: Math.round(Number(time_utc_sec) - nowMs / 1000) || 0,
  };
}

/** Lets a gateway sign that this identity may claim it. */
export async function signAt({ url, serial, publicKey }: SeenGateway, identityId: string) {
  try {
    const ask = { body: { message: identityId }, signal: AbortSignal.timeout(answerMs) };
    const { message, sign } = await clientOf(url).call(signMessage, ask);
    return {
      gateway_serial: serial,
      public_key: publicKey,
      message: printable(message, 512),
      signature: printable(sign, 1024),
    };
  } catch (cause) {
    if (cause instanceof Problem && cause.code === 'rate_limited') throw cause;
    const needsToken = cause instanceof Problem && cause.code === 'unauthenticated';
    throw new Problem(
      'upstream_failed',
      needsToken ? 'The gateway requires its local token; let it sign on its own page.' : 'The gateway did not sign.',
      {},
      { cause },
    );
  }
}

const printable = (text: unknown, maxLength: number): string =>
  typeof text === 'string' ? text.replaceAll(/[\p{Cc}\p{Cs}]/gu, '').slice(0, maxLength) : '';

/** Calls a gateway without following redirects, and reads no more than a gateway sends. */
const clientOf = (baseUrl: string) =>
  createClient({
    baseUrl,
    async fetch(input, init) {
      const answer = await fetch(input, { ...init, redirect: 'error' });
      const chunks: Uint8Array<ArrayBuffer>[] = [];
      let length = 0;
      for await (const chunk of answer.body ?? []) {
        length += chunk.length;
        if (length > maxAnswerBytes) throw new Error('The answer is too long for a gateway.');
        chunks.push(chunk);
      }
      return new Response(new Blob(chunks), { status: answer.status, headers: answer.headers });
    },
  });
