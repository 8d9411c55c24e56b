import { type Client, createClient } from '../client.ts';
import { getMe } from '../cloud/identity.ts';
import { type WaitOption, withRetries } from './retry.ts';
import { createSender, type SenderOptions } from './send.ts';
import { createSession, type SessionOptions } from './session.ts';
import type { SiteEvent } from './site-stream.ts';
import { type StreamOptions, streamOf } from './site-stream.ts';

export type ConnectOptions = SessionOptions &
  WaitOption & {
    fetch?: typeof globalThis.fetch;
    /** how often to retry a call that is safe to repeat; 3 by default */
    retries?: number;
  };

export type Ohmstead = Client & {
  identityId: string;
  url: string;
  /** Returns a valid token; a new one if `refused` was rejected. */
  token(refused?: string): Promise<string>;
  /** Streams the events of a site and reconnects until return() or the signal ends it. */
  stream(siteId: string, options?: StreamOptions): AsyncGenerator<SiteEvent>;
};

/** Signs in to the platform at this address (empty: the origin of the page) and registers the key if it is new. */
export async function connect(url: string, options: ConnectOptions): Promise<Ohmstead> {
  const { fetch, retries = 3, longestWaitMs } = options;
  const patience = { retries, longestWaitMs };
  const reach: SenderOptions = { baseUrl: url.replace(/\/+$/, ''), ...(fetch && { fetch }) };
  const session = createSession(reach, options);
  const signedIn: SenderOptions = { ...reach, token: session };
  const client = createClient({ ...signedIn, ...patience });
  const send = createSender(signedIn);
  const { identity_id } = await client.call(getMe);
  return {
    ...client,
    identityId: identity_id,
    url: reach.baseUrl,
    token: (refused) => withRetries(() => session(refused), patience),
    stream: (siteId, streamOptions) => streamOf(send, siteId, streamOptions),
  };
}
