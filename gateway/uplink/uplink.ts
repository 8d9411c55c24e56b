import { join } from 'node:path';
import type { DerKind, DerReading } from '#contract/gateway/reading.ts';
import type { Status } from '#contract/gateway/status.ts';
import type { PlanProgress } from '#contract/gateway-plan.ts';
import * as topics from '#contract/topics.ts';
import type { Clock } from '#lib/clock.ts';
import { errorCode } from '#lib/error-code.ts';
import type { Logger } from '#lib/log.ts';
import type { ClaimState } from '../identity/claim-state.ts';
import { type BrokerAddress, parseBrokerAddress } from '../links/mqtt/broker-address.ts';
import { type Backoff, BrokerConnection, type BrokerSession } from '../links/mqtt/broker-connection.ts';
import { openBrokerSession, sayGoodbye } from '../links/mqtt/broker-session.ts';
import type { LogStream } from './log-stream.ts';
import type { OutboxLimits } from './outbox/limits.ts';
import { type Outbox, openOutbox } from './outbox/outbox.ts';
import type { SeqRange } from './outbox/seq-ranges.ts';
import { createPublisher, type PublisherLimits } from './publisher.ts';
import { createTokenAudiences, type TokenAudience } from './token-audience.ts';
import { createTrustedTime, type TrustedTime } from './trusted-time.ts';

type DeviceState = { sn: string; connected: boolean; ders: string[]; error?: string };

type StateDeps = {
  serial: string;
  version: string;
  platform: string;
  devices(): DeviceState[];
  plan?: { progress(): PlanProgress | undefined } | undefined;
  /** ms; undefined while the clock is implausible */
  now(): number | undefined;
};

const repeatMs = 15_000;

/** Publishes the state of the gateway every 15 s, at every change and before it disconnects. */
function createStateReport({ serial, version, platform, devices, plan, now }: StateDeps) {
  const topic = topics.stateTopic(serial);
  let session: BrokerSession | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isDue = false;

  const text = (online: boolean): string =>
    JSON.stringify({
      serial,
      version,
      platform,
      online,
      devices: devices(),
      plan: online ? plan?.progress() : undefined,
      timestamp: now(),
    });

  function send(): void {
    isDue = false;
    session?.publish(topic, text(true), 1);
  }

  return {
    /** Returns the last will, which the broker publishes when the connection is lost. */
    will: () => ({ topic, payload: text(false) }),
    connected(opened: BrokerSession): void {
      session = opened;
      timer = setInterval(send, repeatMs);
      send();
    },
    disconnected(): void {
      session = undefined;
      clearInterval(timer);
    },
    /** Publishes once for all changes of the same tick. */
    changed(): void {
      if (!isDue) setImmediate(send);
      isDue = true;
    },
    /** Publishes the offline state. */
    async goodbye(): Promise<void> {
      if (session) await sayGoodbye(session, topic, text(false));
    },
  };
}

const maxPacketBytes = 1024 * 1024; // acknowledgements and commands are small

export type UplinkDeps = {
  serial: string;
  version: string;
  platform: string;
  dataDir: string;
  boot: string;
  brokerToken(audience: TokenAudience): Promise<string>;
  devices(): DeviceState[];
  onCommand(topic: string, payload: Buffer, isRetained: boolean): void;
  trust?: 'platform' | 'broker' | undefined;
  /** notified when the platform accepts or refuses this gateway */
  claim?: Pick<ClaimState, 'heard' | 'refused'> | undefined;
  /** notified of the keys and requests of the platform behind a broker */
  management?: {
    learn(brokerUrl: string, payload: Buffer): void;
    receive(brokerUrl: string, payload: Buffer): void;
    keepOnly(brokerUrls: readonly string[]): void;
  };
  /** receives the plans of the platform behind a broker, and reports how the gateway gets on */
  plan?: { receive(brokerUrl: string, payload: Buffer): void; progress(): PlanProgress | undefined };
  ca?: string | undefined;
  logStream?: LogStream | undefined;
  clock: Clock;
  monotonic: Clock;
  /** whether the time of day is confirmed; assumed when not given */
  isTimeKnown?: (() => boolean) | undefined;
  log: Logger;
  limits?: Partial<OutboxLimits & PublisherLimits & Backoff & { keepaliveS: number }> | undefined;
};

export type Uplink = Awaited<ReturnType<typeof openUplink>>;

/** Opens the outbox and the connection that carries samples to the platform and commands back. */
export async function openUplink(deps: UplinkDeps) {
  const { clock, monotonic, limits, log } = deps;
  const time = createTrustedTime(clock, monotonic, deps.isTimeKnown);
  const folder = join(deps.dataDir, 'outbox');
  const outbox = await openOutbox({ folder, time, monotonic, boot: deps.boot, limits, log });
  return createUplink(deps, time, outbox);
}

/** Like `openUplink`, with an outbox that is already open. */
export function createUplink(deps: UplinkDeps, time: TrustedTime, outbox: Outbox) {
  const { serial, monotonic, limits, log } = deps;
  const ackTopic = topics.telemetryAckTopic(serial);
  const ownPlatform = topics.platformTopic(serial);
  const requests = topics.manageRequestTopic(serial);
  const plans = topics.planTopic(serial);
  const audiences = createTokenAudiences(join(deps.dataDir, 'platform.json'), log);
  const state = createStateReport({ ...deps, now: time.shown });
  const publisher = createPublisher({ outbox, topicOf, trust: deps.trust ?? 'platform', monotonic, log, limits });
  const parts = [state, publisher, ...(deps.logStream ? [deps.logStream] : [])];
  let session: BrokerSession | undefined;
  let brokers: BrokerAddress[] = [];
  let acknowledged: { seq: number; at: number } | undefined;

  const connection = new BrokerConnection({
    async open(address, signal) {
      const options = {
        clientId: serial,
        username: address.username ?? serial,
        password: address.password ?? (await deps.brokerToken(await audiences.of(address))),
        will: state.will(),
        subscriptions: deps.trust === 'broker' ? topics.commandFilters(serial) : [ackTopic],
        optionalSubscriptions: [
          ...(deps.trust === 'broker' ? [ackTopic] : topics.commandFilters(serial)),
          ownPlatform,
          requests,
          plans,
        ],
        onMessage: (topic: string, payload: Buffer, isRetained: boolean) =>
          receive(address, topic, payload, isRetained),
        ca: deps.ca,
        keepaliveS: limits?.keepaliveS,
        maxPacketBytes,
        log,
      };
      return openBrokerSession(address, options, signal).catch(async (error: unknown) => {
        if (isRefusedLogin(error)) await audiences.forget(address);
        throw error;
      });
    },
    mayConnect: () => time.shown() !== undefined,
    opened(opened) {
      session = opened;
      for (const part of parts) part.connected(opened);
    },
    refused: () => deps.claim?.refused(),
    ended() {
      session = undefined;
      for (const part of parts) part.disconnected();
    },
    monotonic,
    log,
    backoff: limits,
  });

  function receive(address: BrokerAddress, topic: string, payload: Buffer, isRetained: boolean): void {
    if (!topics.parseCommandTopic(topic)) deps.claim?.heard(); // the platform sends messages to claimed gateways only
    if (topic === ownPlatform) {
      if (isRetained) return;
      void audiences.learn(address, payload);
      deps.management?.learn(address.url, payload);
      return;
    }
    if (topic === requests) {
      if (!isRetained) deps.management?.receive(address.url, payload);
      return;
    }
    if (topic === plans) {
      deps.plan?.receive(address.url, payload);
      return;
    }
    if (topic !== ackTopic) {
      deps.onCommand(topic, payload, isRetained);
      return;
    }
    const ranges = parseAcknowledgement(payload);
    if (ranges) {
      publisher.acknowledged(ranges);
      const [, seq] = ranges.at(-1) ?? [];
      if (seq !== undefined) acknowledged = { seq, at: deps.clock.now() };
    } else log.warn({ bytes: payload.length }, 'ignored an invalid acknowledgement');
  }

  function topicOf(source: string): string {
    const [device = '', der = ''] = source.split('/');
    return topics.telemetryTopic(serial, device, der);
  }

  return {
    /** Stores a reading of an enabled DER and sends it. */
    take: (sn: string, kind: DerKind, reading: DerReading): void =>
      outbox.add(`${topics.topicId(sn)}/${kind}`, reading),
    isConnected: (): boolean => session !== undefined,
    /** Publishes the state of the devices at once. */
    stateChanged: state.changed,
    /** Returns false while disconnected. */
    publish(topic: string, payload: object): boolean {
      session?.publish(topic, JSON.stringify(payload), 1);
      return session !== undefined;
    },
    status(): Status['uplink'] {
      const { waiting, bytes, oldest, dropped, thinned } = outbox.counts();
      const broker = (connection.broker ?? brokers[0])?.shown;
      return {
        connected: session !== undefined,
        ...(broker && { broker }),
        waiting,
        bytes,
        ...(oldest !== undefined && { oldest }),
        ...(acknowledged && { acknowledged }),
        dropped,
        thinned,
      };
    },
    /** Sets the connection strings, in order of preference; throws when one is invalid. */
    setBrokers(...addresses: (string | undefined)[]): void {
      brokers = addresses.flatMap((address) => (address ? [parseBrokerAddress(address)] : []));
      connection.setBrokers(brokers);
      void audiences.keepOnly(brokers);
      deps.management?.keepOnly(brokers.map(({ url }) => url));
    },
    /** Retries brokers that refused this gateway more often for a while, because it is being claimed. */
    hurry: () => connection.hurry(),
    start: () => connection.start(),
    async close(): Promise<void> {
      await state.goodbye();
      await connection.close();
      await audiences.close();
      await outbox.close();
    },
  };
}

const refusedLoginCodes = [4, 5]; // CONNACK: bad user name or password, not authorized

const isRefusedLogin = (error: unknown): boolean => refusedLoginCodes.some((code) => code === errorCode(error));

/** Parses `{"acked": [[first, last], …]}`; returns undefined for anything else. */
function parseAcknowledgement(payload: Buffer): SeqRange[] | undefined {
  try {
    const acked: unknown = JSON.parse(payload.toString())?.acked;
    return Array.isArray(acked) && acked.every(isRange) ? acked : undefined;
  } catch {
    return undefined;
  }
}

function isRange(value: unknown): value is SeqRange {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [first, last] = value;
  return Number.isSafeInteger(first) && Number.isSafeInteger(last) && first <= last;
}
