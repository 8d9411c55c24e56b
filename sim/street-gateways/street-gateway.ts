import { brokerOrigin } from '#contract/broker-origin.ts';
import type { DerKind } from '#contract/gateway/reading.ts';
import { stateTopic, telemetryTopic } from '#contract/topics.ts';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import { connect } from '#lib/mqtt.ts';
import type { House } from '../house.ts';
import type { GatewayKey } from './gateway-key.ts';
import { readingOf } from './readings.ts';

export type SimulatedDevice = { sn: string; kinds: readonly DerKind[] };

type StreetGatewayOptions = {
  key: GatewayKey;
  house: House;
  devices: readonly SimulatedDevice[];
  mqttUrl: string;
  version: string;
  clock: Clock;
  log: Logger;
};

const stateEvery = 3; // reports

/** Starts a gateway that reports a simulated house directly, without devices and disk. */
export function startStreetGateway(options: StreetGatewayOptions) {
  const { key, house, devices, mqttUrl, version, clock, log } = options;
  const { serial } = key;
  const states = devices.map(({ sn, kinds }) => ({ sn, connected: true, ders: kinds }));
  const stateText = (online: boolean): string =>
    JSON.stringify({ serial, version, platform: 'simulated', online, devices: states, timestamp: clock.now() });
  const client = connect(mqttUrl, {
    clientId: serial,
    username: serial,
    password: key.brokerToken(clock.now(), brokerOrigin(mqttUrl)),
    protocolVersion: 4,
    reconnectPeriod: 5000,
    queueQoSZero: false,
    will: { topic: stateTopic(serial), payload: Buffer.from(stateText(false)), qos: 0, retain: false },
  });
  let isFailing = false;
  let reports = 0;
  client.on('connect', () => {
    if (isFailing) log.info({ serial }, 'simulated gateway reconnected');
    isFailing = false;
    reports = 0;
    report();
  });
  client.on('error', (error) => {
    if (!isFailing) log.warn({ err: error, serial }, 'simulated gateway disconnected; retrying');
    isFailing = true;
  });
  // Each connection needs a valid token.
  client.on('close', () => {
    client.options.password = key.brokerToken(clock.now(), brokerOrigin(mqttUrl));
  });

  function report(): void {
    if (!client.connected) return;
    if (reports % stateEvery === 0) client.publish(stateTopic(serial), stateText(true));
    reports += 1;
    const state = house.at(clock.now());
    for (const { sn, kinds } of devices) {
      for (const kind of kinds) client.publish(telemetryTopic(serial, sn, kind), readingOf(kind, state));
    }
  }

  return {
    report,
    async close(): Promise<void> {
      if (client.connected) client.publish(stateTopic(serial), stateText(false));
      await client.endAsync();
    },
  };
}

type OwnOption = 'key' | 'house' | 'devices';

/** Starts gateways that report in turn, each once in `paceMs`, so that the load is even. */
export function startStreetGateways(
  homes: readonly Pick<StreetGatewayOptions, OwnOption>[],
  { paceMs = 5000, ...rest }: Omit<StreetGatewayOptions, OwnOption> & { paceMs?: number },
): { close(): Promise<void> } {
  const gateways = homes.map((home) => startStreetGateway({ ...home, ...rest }));
  let next = 0;
  const timer = setInterval(() => {
    gateways[next]?.report();
    next = (next + 1) % gateways.length;
  }, paceMs / Math.max(1, gateways.length));
  return {
    async close() {
      clearInterval(timer);
      await Promise.all(gateways.map((gateway) => gateway.close()));
    },
  };
}
