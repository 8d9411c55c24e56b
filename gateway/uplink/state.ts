import { stateTopic } from '#contract/topics.ts';
import type { BrokerSession } from '../links/mqtt/broker-connection.ts';

export type DeviceState = { sn: string; connected: boolean; ders: string[]; error?: string };

export type StateDeps = {
  serial: string;
  version: string;
  platform: string;
  devices(): DeviceState[];
  /** ms, undefined while nobody knows */
  now(): number | undefined;
};

const repeatMs = 15_000;
const goodbyeMs = 1000;

/** Tells the platform how the gateway is: every 15 s, at every change, and at the end. */
export class StateReport {
  readonly #deps: StateDeps;
  #session: BrokerSession | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isDue = false;

  constructor(deps: StateDeps) {
    this.#deps = deps;
  }

  /** What the broker tells the platform when we vanish. */
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

  /** Changes of the same moment are told together. */
  changed(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => this.#send());
  }

  /** Before a connection is ended in order, since the will is not told then. */
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
