import { Socket } from 'node:net';
import pg from 'pg';
import { asError, errorCode } from '#lib/error-code.ts';
import { hostUrls } from './host-urls.ts';

const answerMs = 3000;

/** Opens a socket with a timeout: the system notices a cut network only after a quarter of an hour. */
export function openSocket(maxSilenceMs: number): Socket {
  const socket = new Socket();
  const message = `PostgreSQL did not respond for ${maxSilenceMs / 1000} s.`;
  return socket.setTimeout(maxSilenceMs, () =>
    socket.destroy(Object.assign(new Error(message), { code: 'ETIMEDOUT' })),
  );
}

/**
 * Finds the server that accepts writes among the hosts of a URL. If several do, because an old primary came back, the
 * newest timeline counts; a server with an older timeline than one seen before is refused. A URL with one host is
 * used as it is, without asking its server.
 */
export class Primary {
  readonly #urls: readonly string[];
  #url: string | undefined;
  #timeline = ''; // the newest that was seen
  #search: Promise<string> | undefined;
  readonly #listeners: ((url: string) => void)[] = [];

  constructor(url: string) {
    this.#urls = hostUrls(url);
    if (this.#urls.length === 1) this.#url = url;
  }

  /** Returns the URL of the primary. Asks all servers if it is not known. */
  async url(): Promise<string> {
    return this.#url ?? this.search();
  }

  /** Asks all servers which one is the primary. Calls at the same time share the answer. Throws if none accepts writes. */
  async search(): Promise<string> {
    if (this.#urls.length === 1) return this.url();
    this.#search ??= this.#askAll().finally(() => {
      this.#search = undefined;
    });
    return this.#search;
  }

  /** Adds a listener, which is called with the URL of the primary when it was found again. */
  onFound(listener: (url: string) => void): void {
    this.#listeners.push(listener);
  }

  /** Makes the next call of url() ask all servers. */
  forget(): void {
    if (this.#urls.length > 1) this.#url = undefined;
  }

  /** Throws if the server of a new connection is not the primary. */
  async check(client: pg.ClientBase): Promise<void> {
    if (!this.#accepts(await timelineOf(client)))
      throw connectionError('08001', 'The server is not the primary any more.');
  }

  #accepts(timeline: string | undefined): boolean {
    if (!timeline || timeline < this.#timeline) return false;
    this.#timeline = timeline;
    return true;
  }

  async #askAll(): Promise<string> {
    const answers = await Promise.allSettled(this.#urls.map(timelineAt));
    const timelines = answers.map((answer) => (answer.status === 'fulfilled' ? (answer.value ?? '') : ''));
    const newest = timelines.toSorted().at(-1);
    const url = this.#urls.find((_, index) => timelines[index] === newest);
    if (url && this.#accepts(newest)) {
      this.#url = url;
      for (const listener of this.#listeners) listener(url);
      return url;
    }
    const failures = answers.map((answer) => (answer.status === 'rejected' ? asError(answer.reason) : undefined));
    const misconfigured = failures.find((failure) => /^(28|3D)/.test(String(errorCode(failure)))); // sign-in, database name
    if (misconfigured) throw misconfigured;
    const reasonOf = (failure: Error | undefined) =>
      failure ? failure.message || errorCode(failure) : 'standby or outdated'; // failures of several addresses have no message
    const list = this.#urls.map((each, index) => `${new URL(each).host} (${reasonOf(failures[index])})`).join(', ');
    throw connectionError('08001', `No PostgreSQL server is a primary: ${list}.`);
  }
}

const primaries = new Map<string, Primary>();

/** Returns the Primary of a URL, which all connections of this thread share, so that they move together. */
export function primaryOf(url: string): Primary {
  const known = primaries.get(url) ?? new Primary(url);
  primaries.set(url, known);
  return known;
}

// Eight hex digits that grow with every promotion; null on a server that does not accept writes.
const question = {
  text: `select case when not pg_is_in_recovery() and not current_setting('transaction_read_only')::boolean
    then substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as timeline`,
  query_timeout: answerMs,
};

/** Returns the timeline of the server, or undefined if it does not accept writes. */
async function timelineOf(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ timeline: string | null }>(question);
  return rows[0]?.timeline ?? undefined;
}

async function timelineAt(connectionString: string): Promise<string | undefined> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: answerMs,
    stream: () => openSocket(answerMs),
  });
  client.on('error', () => {}); // a connection that is lost after the answer does not matter
  try {
    await client.connect();
    return await timelineOf(client);
  } finally {
    void client.end(); // a server that went silent would not end it
  }
}

/** Makes an error with an SQLSTATE of the class "connection exception": the caller may try again later. */
export const connectionError = (code: `08${string}`, message?: string): Error =>
  Object.assign(new Error(message), { code });
