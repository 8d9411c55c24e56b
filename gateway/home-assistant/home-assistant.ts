import { derKinds } from '#contract/gateway/reading.ts';
import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import type { Logger } from '#lib/log.ts';
import type { Device } from '../devices/device.ts';
import { parseBrokerAddress } from '../links/mqtt/broker-address.ts';
import { type Backoff, BrokerConnection, type BrokerSession } from '../links/mqtt/broker-connection.ts';
import { publishAndWait, sayGoodbye } from '../links/mqtt/broker-session.ts';
import { type AnnouncedFields, type Announcements, type Home, openAnnounced } from './announced.ts';
import { deviceConfig, type GatewayInfo, gatewayConfig } from './discovery.ts';
import { openHomeSession, sayFarewell } from './farewell.ts';
import { createRecentValues, type RecentValues } from './recent-values.ts';
import { homeTopics } from './topics.ts';

export type HomeDevice = Pick<Device, 'sn' | 'make' | 'model' | 'isConnected' | 'snapshot'>;

type BridgeDeps = GatewayInfo & {
  home: Home;
  announced: Announcements;
  devices(): readonly HomeDevice[];
  uplink(): { connected: boolean; waiting: number };
  monotonic: Clock;
  log: Logger;
  pace?: Partial<Backoff & { everyMs: number }> | undefined;
};

const everyMs = 1000;
const repeatMs = 30_000; // repeats an unchanged state before it expires

/** Publishes changes of the devices to Home Assistant once a second. Queues nothing for an unreachable broker. */
function createBridge(deps: BridgeDeps) {
  const { home, serial, version, announced, monotonic, log, pace } = deps;
  const topics = homeTopics(serial, home.prefix);
  const values = new Map<string, RecentValues>(); // by the topic of the DER
  const configs = new Map<string, { fields: AnnouncedFields; make: string; model: string; text: string }>(); // by serial
  const published = new Map<string, { payload: string; at: number }>(); // in this session, by topic
  let session: BrokerSession | undefined;
  let timer: NodeJS.Timeout | undefined;
  let updating = Promise.resolve();

  const connection = new BrokerConnection({
    open: (address, signal) =>
      openHomeSession(
        address,
        {
          clientId: `${serial}-home-assistant`,
          will: { topic: topics.gatewayStatus, payload: 'offline' },
          optionalSubscriptions: [topics.birth],
          onMessage: (_, payload) => (payload.toString() === 'online' ? published.clear() : undefined),
          ca: home.ca,
          log,
        },
        signal,
      ),
    mayConnect: () => true,
    opened(opened) {
      session = opened;
      published.clear();
    },
    ended() {
      session = undefined;
    },
    monotonic,
    log,
    backoff: pace,
  });
  connection.setBrokers([parseBrokerAddress(home.url)]);

  async function update(): Promise<void> {
    const current = session;
    if (!current) return;
    try {
      await publishGateway(current);
      await removeAbsent(current);
      for (const device of deps.devices()) await publishDevice(device, current);
    } catch (error) {
      if (session === current) throw error; // otherwise the connection has logged it
    }
    await announced.save();
  }

  async function publishGateway(to: BrokerSession): Promise<void> {
    const { connected, waiting } = deps.uplink();
    await publish(to, topics.gatewayConfig, JSON.stringify(gatewayConfig(topics, deps)), 1);
    await publish(to, topics.gatewayStatus, 'online', 1);
    await publish(to, topics.gatewayState, JSON.stringify({ connected, waiting, version }), 0);
  }

  async function removeAbsent(to: BrokerSession): Promise<void> {
    const present = new Set(deps.devices().map(({ sn }) => sn));
    for (const sn of announced.serials().filter((known) => !present.has(known))) {
      for (const topic of [topics.deviceConfig(sn), topics.deviceStatus(sn)]) {
        await publish(to, topic, '', 1);
        published.delete(topic);
      }
      for (const topic of derKinds.map((kind) => topics.derState(sn, kind))) {
        published.delete(topic);
        values.delete(topic);
      }
      configs.delete(sn);
      announced.forget(sn);
    }
  }

  async function publishDevice(device: HomeDevice, to: BrokerSession): Promise<void> {
    const { sn, isConnected } = device;
    const now = monotonic.now();
    takeReadings(device, now);
    const fields = announced.fieldsOf(sn);
    if (!derKinds.some((kind) => fields[kind]?.length)) return;
    await publish(to, topics.deviceConfig(sn), configOf(device, fields), 1);
    await publish(to, topics.deviceStatus(sn), isConnected ? 'online' : 'offline', 1);
    if (!isConnected) return;
    for (const topic of derKinds.map((kind) => topics.derState(sn, kind))) {
      const state = values.get(topic)?.state(now);
      if (state !== undefined) await publish(to, topic, state, 0);
    }
  }

  function takeReadings(device: HomeDevice, now: number): void {
    const snapshot = device.snapshot('later');
    for (const kind of derKinds) {
      const reading = snapshot?.[kind];
      if (!reading) continue;
      const topic = topics.derState(device.sn, kind);
      const recent = values.get(topic) ?? createRecentValues();
      values.set(topic, recent);
      announced.learn(device.sn, kind, recent.take(reading, now));
    }
  }

  /** Returns the discovery message, cached for the announced fields. */
  function configOf({ sn, make, model }: HomeDevice, fields: AnnouncedFields): string {
    const known = configs.get(sn);
    if (known?.fields === fields && known.make === make && known.model === model) return known.text;
    const text = JSON.stringify(deviceConfig(topics, deps, { sn, make, model }, fields));
    configs.set(sn, { fields, make, model, text });
    return text;
  }

  /** Publishes unless already published. */
  async function publish(to: BrokerSession, topic: string, payload: string, qos: 0 | 1): Promise<void> {
    if (session !== to) throw new Error('The connection was closed.');
    const before = published.get(topic);
    const now = monotonic.now();
    if (before?.payload === payload && (qos === 1 || now - before.at < repeatMs)) return;
    await publishAndWait(to, topic, payload, qos);
    published.set(topic, { payload, at: now });
  }

  return {
    start(): void {
      connection.start();
      const run = (): Promise<void> => {
        updating = update();
        return updating;
      };
      timer = every(pace?.everyMs ?? everyMs, run, 'publishing to Home Assistant', log);
    },
    async close(): Promise<void> {
      clearInterval(timer);
      const last = session;
      session = undefined; // stops publishing
      if (last) await sayGoodbye(last, topics.gatewayStatus, 'offline');
      await connection.close();
      await updating.catch(() => {}); // already logged
    },
  };
}

export type HomeAssistantDeps = Omit<BridgeDeps, 'home' | 'announced'> & {
  /** undefined if disabled */
  home: Home | undefined;
  dataDir: string;
};

/** Announces the devices of this gateway to Home Assistant through MQTT discovery. */
export async function openHomeAssistant(deps: HomeAssistantDeps): Promise<{ start(): void; close(): Promise<void> }> {
  const { home, serial, dataDir } = deps;
  const log = deps.log.child({ part: 'home assistant' });
  const announced = await openAnnounced(dataDir, home, log);
  const { former, forgetFormer: forget } = announced;
  const bridge = home && createBridge({ ...deps, home, announced, log });
  const closing = new AbortController();
  let leaving = Promise.resolve();
  return {
    start() {
      bridge?.start();
      if (former) leaving = sayFarewell({ serial, former, home, forget, log }, closing.signal);
    },
    async close() {
      closing.abort();
      await Promise.all([bridge?.close(), leaving]);
    },
  };
}
