import { setTimeout as sleep } from 'node:timers/promises';
import { derKinds } from '#contract/gateway/reading.ts';
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import type { Logger } from '#lib/log.ts';
import type { Device } from '../devices/device.ts';
import { parseBrokerAddress } from '../links/mqtt/broker-address.ts';
import type { BrokerSession } from '../links/mqtt/broker-connection.ts';
import { type Backoff, BrokerConnection } from '../links/mqtt/broker-connection.ts';
import { type Announced, type Home, isToldAnything, type ToldFields } from './announced.ts';
import { deviceConfig, type GatewayInfo, gatewayConfig } from './discovery.ts';
import { openHomeSession, say } from './session.ts';
import { ToldValues } from './told-values.ts';
import { type HomeTopics, homeTopics } from './topics.ts';

export type HomeDevice = Pick<Device, 'sn' | 'make' | 'model' | 'isConnected' | 'snapshot'>;

export type BridgeDeps = GatewayInfo & {
  home: Home;
  announced: Announced;
  devices(): readonly HomeDevice[];
  uplink(): { connected: boolean; waiting: number };
  monotonic: Clock;
  log: Logger;
  pace?: Partial<Backoff & { everyMs: number }> | undefined;
};

const everyMs = 1000;
const repeatMs = 30_000; // repeats an unchanged state before it expires
const goodbyeMs = 1000;

/**
 * Publishes changes of the devices to Home Assistant once a second. Nothing is queued for an unreachable or slow broker; the
 * next message has the current state.
 */
export class Bridge {
  private readonly deps: BridgeDeps;
  private readonly topics: HomeTopics;
  private readonly connection: BrokerConnection;
  private readonly values = new Map<string, ToldValues>(); // by the topic of the DER
  private readonly configs = new Map<string, { told: ToldFields; make: string; model: string; text: string }>(); // by serial
  private readonly said = new Map<string, { payload: string; at: number }>(); // in this session, by topic
  private session: BrokerSession | undefined;
  private timer: NodeJS.Timeout | undefined;
  private telling = Promise.resolve();

  constructor(deps: BridgeDeps) {
    const { home, serial, monotonic, log, pace } = deps;
    this.deps = deps;
    this.topics = homeTopics(serial, home.prefix);
    const { gatewayStatus, birth } = this.topics;
    const forgetSaid = (): void => this.said.clear();
    this.connection = new BrokerConnection({
      open: (address, signal) =>
        openHomeSession(
          address,
          {
            clientId: `${serial}-home-assistant`,
            will: { topic: gatewayStatus, payload: 'offline' },
            listen: { topic: birth, heard: (text) => (text === 'online' ? forgetSaid() : undefined) },
            ca: home.ca,
            log,
          },
          signal,
        ),
      mayConnect: () => true,
      opened: (session) => {
        this.session = session;
        forgetSaid();
      },
      ended: () => {
        this.session = undefined;
      },
      monotonic,
      log,
      backoff: pace,
    });
    this.connection.setBrokers([parseBrokerAddress(home.url)]);
  }

  start(): void {
    this.connection.start();
    const tell = (): Promise<void> => {
      this.telling = this.tell();
      return this.telling;
    };
    this.timer = every(this.deps.pace?.everyMs ?? everyMs, tell, 'publishing to Home Assistant', this.deps.log);
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    const { session } = this;
    this.session = undefined; // stops publishing
    if (session) await this.sayGoodbye(session);
    await this.connection.close();
    await this.telling.catch(() => {}); // already logged
  }

  /** Publishes the offline status, because a clean disconnect sends no last will. */
  private async sayGoodbye(session: BrokerSession): Promise<void> {
    const said = Promise.withResolvers<void>();
    session.publish(this.topics.gatewayStatus, 'offline', 1, () => said.resolve());
    await Promise.race([said.promise, sleep(goodbyeMs, undefined, { ref: false })]);
  }

  private async tell(): Promise<void> {
    const { session } = this;
    if (!session) return;
    try {
      await this.tellOfGateway(session);
      await this.takeBackRemoved(session);
      for (const device of this.deps.devices()) await this.tellOf(device, session);
    } catch (error) {
      if (this.session === session) throw error; // otherwise the connection has logged it
    }
    await this.deps.announced.save();
  }

  private async tellOfGateway(session: BrokerSession): Promise<void> {
    const { topics, deps } = this;
    const { connected, waiting } = deps.uplink();
    await this.say(session, topics.gatewayConfig, JSON.stringify(gatewayConfig(topics, deps)), 1);
    await this.say(session, topics.gatewayStatus, 'online', 1);
    await this.say(session, topics.gatewayState, JSON.stringify({ connected, waiting, version: deps.version }), 0);
  }

  private async takeBackRemoved(session: BrokerSession): Promise<void> {
    const { topics, deps } = this;
    const present = new Set(deps.devices().map(({ sn }) => sn));
    for (const sn of deps.announced.serials().filter((known) => !present.has(known))) {
      for (const topic of [topics.deviceConfig(sn), topics.deviceStatus(sn)]) {
        await this.say(session, topic, '', 1);
        this.said.delete(topic);
      }
      for (const kind of derKinds) {
        this.said.delete(topics.derState(sn, kind));
        this.values.delete(topics.derState(sn, kind));
      }
      this.configs.delete(sn);
      deps.announced.forget(sn);
    }
  }

  private async tellOf(device: HomeDevice, session: BrokerSession): Promise<void> {
    const { topics, deps } = this;
    const { sn, isConnected } = device;
    const now = deps.monotonic.now();
    this.listenTo(device, now);
    const told = deps.announced.fieldsOf(sn);
    if (!isToldAnything(told)) return;
    await this.say(session, topics.deviceConfig(sn), this.configOf(device, told), 1);
    await this.say(session, topics.deviceStatus(sn), isConnected ? 'online' : 'offline', 1);
    if (!isConnected) return;
    for (const kind of derKinds) {
      const topic = topics.derState(sn, kind);
      const state = this.values.get(topic)?.state(now);
      if (state !== undefined) await this.say(session, topic, state, 0);
    }
  }

  private listenTo(device: HomeDevice, now: number): void {
    const snapshot = device.snapshot('later');
    for (const kind of derKinds) {
      const reading = snapshot?.[kind];
      if (!reading) continue;
      const topic = this.topics.derState(device.sn, kind);
      const values = this.values.get(topic) ?? new ToldValues();
      values.take(reading, now);
      this.values.set(topic, values);
      this.deps.announced.learn(device.sn, kind, values.fields);
    }
  }

  /** Returns the discovery message, cached for the announced fields. */
  private configOf({ sn, make, model }: HomeDevice, told: ToldFields): string {
    const known = this.configs.get(sn);
    if (known?.told === told && known.make === make && known.model === model) return known.text;
    const text = JSON.stringify(deviceConfig(this.topics, this.deps, { sn, make, model }, told));
    this.configs.set(sn, { told, make, model, text });
    return text;
  }

  /** Publishes unless already published. */
  private async say(session: BrokerSession, topic: string, payload: string, qos: 0 | 1): Promise<void> {
    if (this.session !== session) throw new Error('The connection was closed.');
    const before = this.said.get(topic);
    const now = this.deps.monotonic.now();
    if (before?.payload === payload && (qos === 1 || now - before.at < repeatMs)) return;
    await say(session, topic, payload, qos);
    this.said.set(topic, { payload, at: now });
  }
}
