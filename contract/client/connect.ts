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
    /** how often a call that is safe to repeat is tried again, 3 times when left out */
    retries?: number;
  };

/** A platform that somebody is signed in to. */
export type Ohmstead = Client & {
  identityId: string;
  url: string;
  /** A token that is valid now; another one when this was refused. */
  token(refused?: string): Promise<string>;
  /** The events of a site, through every loss of the connection, until return() or the signal ends it. */
  stream(siteId: string, options?: StreamOptions): AsyncGenerator<SiteEvent>;
};

/** Signs in to the platform at this address (empty: that of the page), and registers the key if nobody knows it yet. */
export async function connect(url: string, options: ConnectOptions): Promise<Ohmstead> {
  const { fetch, retries = 3, longestWaitMs } = options;
  const patience = { retries, longestWaitMs };
  const reach: SenderOptions = { baseUrl: url.replace(/\/+$/, ''), ...(fetch && { fetch }) };
  const session = createSession(reach, options);
  const signedIn: SenderOptions = { ...reach, token: session };
  const client = createClient({ ...signedIn, ...patience });
  const ask = createSender(signedIn);
  const { identity_id } = await client.call(getMe);
  return {
    ...client,
    identityId: identity_id,
    url: reach.baseUrl,
    token: (refused) => withRetries(() => session(refused), patience),
    stream: (siteId, streamOptions) => streamOf(ask, siteId, streamOptions),
  };
}
