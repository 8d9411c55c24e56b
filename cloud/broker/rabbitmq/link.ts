import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChannelModel, connect } from 'amqplib';
import type { Logger } from '#lib/log.ts';

const connectTimeoutMs = 5_000;
const setUpTimeoutMs = 20_000; // a queue without a majority answers nothing
const minDelayMs = 200;
const maxDelayMs = 10_000;

type LinkOptions = {
  urls: readonly string[];
  purpose: string;
  log: Logger;
  /** Declares and consumes on a fresh connection. */
  setUp(connection: ChannelModel): Promise<void>;
  /** Called when the connection is lost, with everything that was set up on it. */
  lost(): void;
};

/** Keeps one AMQP connection to any of the addresses, and reconnects when it is lost. */
export function createLink({ urls, purpose, log, setUp, lost }: LinkOptions) {
  const closing = new AbortController();
  const firstTry = Promise.withResolvers<void>();
  let current: ChannelModel | undefined;
  let isUp = false;
  let ended = Promise.resolve();

  async function hold(url: string, connected: () => void): Promise<void> {
    const connection = await connect(url, { timeout: connectTimeoutMs, noDelay: true, clientProperties: { purpose } });
    const gone = new Promise<void>((resolve) => connection.once('close', () => resolve()));
    connection.on('error', (error) => log.debug({ err: error, purpose }, 'broker connection failed'));
    try {
      current = connection;
      await before(setUpTimeoutMs, setUp(connection), gone);
      isUp = true;
      connected();
      await gone;
    } finally {
      isUp = false;
      current = undefined;
      lost();
      await end(connection);
    }
  }

  async function run(): Promise<void> {
    const offset = Math.floor(Math.random() * urls.length); // processes spread over the nodes
    const addresses = [...urls.slice(offset), ...urls.slice(0, offset)];
    let failures = 0;
    while (!closing.signal.aborted) {
      const address = addresses.shift() ?? '';
      addresses.push(address);
      const { host } = new URL(address);
      const connected = () => {
        log.info({ host, purpose }, 'broker connected');
        failures = 0;
        firstTry.resolve();
      };
      try {
        await hold(address, connected);
        if (!closing.signal.aborted) log.warn({ host, purpose }, 'broker connection lost');
      } catch (error) {
        if (failures === 0) log.warn({ err: error, host, purpose }, 'broker not reached, will be retried');
      }
      failures++;
      if (failures >= urls.length) firstTry.resolve();
      const ceilingMs = Math.min(maxDelayMs, minDelayMs * 2 ** failures);
      await sleep(Math.random() * ceilingMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
    firstTry.resolve();
  }

  return {
    /** Resolves when connected, or when every address was tried once; then keeps retrying. */
    start(): Promise<void> {
      ended = run();
      return firstTry.promise;
    },
    get isUp(): boolean {
      return isUp;
    },
    async close(): Promise<void> {
      closing.abort();
      lost(); // nothing more is written to a connection that closes
      if (current) await end(current);
      await ended;
    },
  };
}

/** Closes a connection, by force if the broker does not answer. */
async function end(connection: ChannelModel): Promise<void> {
  const { stream }: { stream?: Duplex } = Object(connection.connection); // not in its types
  await before(connectTimeoutMs, connection.close()).catch((error: Error) => stream?.destroy(error));
}

async function before<Value>(ms: number, work: Promise<Value>, gone?: Promise<void>): Promise<Value> {
  const late = AbortSignal.timeout(ms);
  return Promise.race([
    work,
    new Promise<never>((_, reject) => {
      late.addEventListener('abort', () => reject(new Error('The broker did not answer in time.')));
      void gone?.then(() => reject(new Error('The broker closed the connection.')));
    }),
  ]);
}
