import { stateTopic } from '#contract/topics.ts';
import type { Session } from '../links/mqtt/session.ts';

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
  private readonly deps: StateDeps;
  private session: Session | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isDue = false;

  constructor(deps: StateDeps) {
    this.deps = deps;
  }

  /** What the broker tells the platform when we vanish. */
  will(): { topic: string; payload: string } {
    return { topic: stateTopic(this.deps.serial), payload: this.text(false) };
  }

  connected(session: Session): void {
    this.session = session;
    this.timer = setInterval(() => this.send(), repeatMs);
    this.send();
  }

  disconnected(): void {
    this.session = undefined;
    clearInterval(this.timer);
  }

  /** Changes of the same moment are told together. */
  changed(): void {
    if (this.isDue) return;
    this.isDue = true;
    setImmediate(() => this.send());
  }

  /** Before a connection is ended in order, since the will is not told then. */
  async goodbye(): Promise<void> {
    const { session } = this;
    if (!session) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    session.publish(stateTopic(this.deps.serial), this.text(false), 1, () => resolve());
    const timer = setTimeout(resolve, goodbyeMs);
    await promise;
    clearTimeout(timer);
  }

  private send(): void {
    this.isDue = false;
    this.session?.publish(stateTopic(this.deps.serial), this.text(true), 1);
  }

  private text(online: boolean): string {
    const { serial, version, platform, devices, now } = this.deps;
    return JSON.stringify({ serial, version, platform, online, devices: devices(), timestamp: now() });
  }
}
