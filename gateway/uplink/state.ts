import { stateTopic } from '#contract/topics.ts';
import type { BrokerSession } from '../links/mqtt/broker-connection.ts';

export type DeviceState = { sn: string; connected: boolean; ders: string[]; error?: string };

export type StateDeps = {
  serial: string;
  version: string;
  platform: string;
  devices(): DeviceState[];
  /** ms; undefined while the clock is implausible */
  now(): number | undefined;
};

const repeatMs = 15_000;
const goodbyeMs = 1000;

/** Publishes the state of the gateway every 15 s, at every change and before it disconnects. */
export class StateReport {
  readonly #deps: StateDeps;
  #session: BrokerSession | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isDue = false;

  constructor(deps: StateDeps) {
    this.#deps = deps;
  }

  /** Returns the last will, which the broker publishes when the connection is lost. */
  will(): { topic: string; payload: string } {
    return { topic: stateTopic(this.#deps.serial), payload: this.#text(false) };
  }

  connected(session: BrokerSession): void {
    this.#session = session;
    this.#timer = setInterval(() => this.#send(), repeatMs);
    this.#send();
  }

  disconnected(): void {
    this.#session = undefined;
    clearInterval(this.#timer);
  }

  /** Publishes once for all changes of the same tick. */
  changed(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => this.#send());
  }

  /** Publishes the offline state before a clean disconnect, after which the broker drops the last will. */
  async goodbye(): Promise<void> {
    const session = this.#session;
    if (!session) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    session.publish(stateTopic(this.#deps.serial), this.#text(false), 1, () => resolve());
    const timer = setTimeout(resolve, goodbyeMs);
    await promise;
    clearTimeout(timer);
  }

  #send(): void {
    this.#isDue = false;
    this.#session?.publish(stateTopic(this.#deps.serial), this.#text(true), 1);
  }

  #text(online: boolean): string {
    const { serial, version, platform, devices, now } = this.#deps;
    return JSON.stringify({ serial, version, platform, online, devices: devices(), timestamp: now() });
  }
}
