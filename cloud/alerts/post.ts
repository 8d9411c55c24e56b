import { lookup } from 'node:dns';
import * as http from 'node:http';
import * as https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '#lib/public-address.ts';

/** Why a message was not delivered; `isGone` if its receiver no longer exists. */
export class DeliveryError extends Error {
  override name = 'DeliveryError';
  readonly isGone: boolean;

  constructor(message: string, { isGone = false, ...options }: ErrorOptions & { isGone?: boolean } = {}) {
    super(message, options);
    this.isGone = isGone;
  }
}

export type Post = {
  url: string;
  headers: Record<string, string | number>;
  body: string | Uint8Array;
  /** whether the address may be in a private network */
  mayBePrivate: boolean;
};

const timeoutMs = 10_000;
const isPrivate = 'The address is in a private network.';

/** Returns why an address cannot receive messages, as far as its text tells. Names are resolved when a message is sent. */
export function refusedUrl(text: string, { mayBePrivate }: Pick<Post, 'mayBePrivate'>): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be a URL that begins with https:// or http://';
  if (url.username || url.password) return 'must not contain a user name or password';
  const host = hostOf(url);
  const isLocal = isIP(host) ? !isPublicAddress(host) : /(^|\.)(localhost|local|internal)\.?$/i.test(host);
  return !mayBePrivate && isLocal
    ? 'is in a private network, which the operator of this platform does not allow'
    : undefined;
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** Posts to an address that a user chose. Neither follows redirects nor reads the answer. */
export async function post({ url: text, headers, body, mayBePrivate }: Post): Promise<void> {
  const refused = refusedUrl(text, { mayBePrivate });
  if (refused) throw new DeliveryError(`The address ${refused}.`);
  const url = new URL(text);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const options = {
    method: 'POST',
    headers: { 'user-agent': 'Ohmstead', ...headers, 'content-length': Buffer.byteLength(body) },
    signal: AbortSignal.timeout(timeoutMs),
    agent: false,
    ...(!mayBePrivate && { lookup: publicLookup }),
  } as const;
  const request = (url.protocol === 'https:' ? https : http).request(url, options, (answer) => {
    resolve(answer.statusCode ?? 0);
    answer.destroy();
  });
  request.on('error', reject);
  request.end(body);
  const status = await promise.catch((cause: unknown) => {
    throw cause instanceof DeliveryError ? cause : new DeliveryError(failureOf(cause), { cause });
  });
  if (status >= 200 && status < 300) return;
  if (status >= 300 && status < 400)
    throw new DeliveryError(`The receiver redirected (${status}); redirects are not followed.`);
  throw new DeliveryError(`The receiver answered ${status}.`, { isGone: status === 404 || status === 410 });
}

/** Resolves a name for a connection, and refuses it if any of its addresses is private. The connection uses what was checked. */
const publicLookup: LookupFunction = (host, options, callback) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    const [first] = addresses;
    if (!first || !addresses.every(({ address }) => isPublicAddress(address)))
      return callback(new DeliveryError(isPrivate), []);
    return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
  });
};

const failureOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  const isTimeout = error instanceof Error && error.name === 'TimeoutError';
  return isTimeout || code === 'ABORT_ERR'
    ? `No answer within ${timeoutMs / 1000} s.`
    : `Not reachable (${code ?? 'unknown error'}).`;
};
