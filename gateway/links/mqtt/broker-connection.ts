import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '#lib/clock.ts';
import { asError, errorCode } from '#lib/error-code.ts';
import type { Logger } from '#lib/log.ts';
import type { BrokerAddress } from './broker-address.ts';

/** A connection to a broker, until it ends. */
export type BrokerSession = {
  /** Calls `done` on the broker's acknowledgement, or with an error when there will be none. */
  publish(topic: string, payload: string, qos: 0 | 1, done?: (error?: Error) => void): void;
  ended: Promise<unknown>;
  /** Disconnects cleanly, so that the broker does not publish the last will. */
  end(): Promise<void>;
};

type BrokerConnectionDeps = {
  open(address: BrokerAddress, signal: AbortSignal): Promise<BrokerSession>;
  /** no connection is attempted while this is false, for example while the clock is wrong */
  mayConnect(): boolean;
  opened(session: BrokerSession): void;
  /** a broker refused our credentials */
  refused?(): void;
  ended(): void;
  monotonic: Clock;
  log: Logger;
  backoff?: Partial<Backoff> | undefined;
};

export type Backoff = {
  minMs: number;
  maxMs: number;
  /** a connection that lasts this long resets the backoff */
  lastingMs: number;
  /** how long the fallback is used before the first broker is tried again */
  fallbackMs: number;
};

const defaultBackoff: Backoff = { minMs: 1000, maxMs: 60_000, lastingMs: 10_000, fallbackMs: 600_000 };

const idleMs = 1000;
const [badUser, notAuthorized] = [4, 5]; // return codes of MQTT 3.1.1
const hurryMs = 120_000; // a claim takes a person about a minute
const hurriedMs = 2000;

/** Keeps a connection to the first available broker of a list. Retries with exponential backoff and jitter. */
export class BrokerConnection {
  readonly #deps: BrokerConnectionDeps;
  readonly #backoff: Backoff;
  #brokers: readonly BrokerAddress[] = [];
  #running: Promise<void> | undefined;
  #changed = new AbortController();
  #woken = new AbortController();
  #hurriedUntil = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  #isFailing = false;
  #current: { session: BrokerSession; address: BrokerAddress } | undefined;

  constructor(deps: BrokerConnectionDeps) {
    this.#deps = deps;
    this.#backoff = { ...defaultBackoff, ...deps.backoff };
  }

  get broker(): BrokerAddress | undefined {
    return this.#current?.address;
  }

  /** Sets the brokers in order of preference, and ends the current connection. */
  setBrokers(brokers: readonly BrokerAddress[]): void {
    this.#brokers = brokers;
    this.#changed.abort();
    this.#changed = new AbortController();
  }

  /** Retries every two seconds for a while, because this gateway is being claimed. */
  hurry(): void {
    this.#hurriedUntil = this.#deps.monotonic.now() + hurryMs;
    this.#woken.abort();
    this.#woken = new AbortController();
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#changed.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    let failures = 0;
    while (!this.#isClosed) {
      const { signal } = this.#changed;
      if (this.#brokers.length === 0 || !this.#deps.mayConnect()) {
        await pause(idleMs, signal);
        continue;
      }
      const opened = await this.#openFirst(signal);
      const isLasting = opened ? await this.#use(opened, signal) : false;
      failures = isLasting || signal.aborted ? 0 : failures + 1;
      const { minMs, maxMs } = this.#backoff;
      const capMs = this.#deps.monotonic.now() < this.#hurriedUntil ? Math.min(hurriedMs, maxMs) : maxMs;
      await pause(
        Math.random() * Math.min(capMs, minMs * 2 ** failures),
        AbortSignal.any([signal, this.#woken.signal]),
      );
    }
  }

  async #openFirst(signal: AbortSignal): Promise<{ session: BrokerSession; address: BrokerAddress } | undefined> {
    const { open, log } = this.#deps;
    for (const address of this.#brokers) {
      try {
        return { address, session: await open(address, signal) };
      } catch (error) {
        if (signal.aborted) return undefined;
        const code = errorCode(error);
        if (code === notAuthorized) this.#deps.refused?.();
        if (this.#isFailing) continue;
        if (code === notAuthorized || code === badUser) {
          log.warn({ reason: asError(error).message, broker: address.shown }, 'the broker refused the login');
        } else {
          log.warn({ err: error, broker: address.shown }, 'the broker could not be reached');
        }
      }
    }
    this.#isFailing = true;
    return undefined;
  }

  /** Returns whether the connection lasted long enough to reset the backoff. */
  async #use(opened: { session: BrokerSession; address: BrokerAddress }, signal: AbortSignal): Promise<boolean> {
    const { monotonic, log } = this.#deps;
    const { session, address } = opened;
    const since = monotonic.now();
    this.#current = opened;
    this.#isFailing = false;
    log.info({ broker: address.shown }, 'connected to the broker');
    this.#deps.opened(session);

    const isFirst = address === this.#brokers[0];
    const over = new AbortController();
    const stayMs = isFirst ? Number.POSITIVE_INFINITY : this.#backoff.fallbackMs;
    await Promise.race([session.ended, pause(stayMs, AbortSignal.any([signal, over.signal]))]);
    over.abort();
    this.#current = undefined;
    this.#deps.ended();
    await session.end();
    log.info({ broker: address.shown }, 'disconnected from the broker');
    return monotonic.now() - since >= this.#backoff.lastingMs;
  }
}

const maxTimerMs = 2 ** 31 - 1;

/** Sleeps, and returns early when the signal is aborted. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(Math.min(ms, maxTimerMs), undefined, { signal }).catch(() => {});
