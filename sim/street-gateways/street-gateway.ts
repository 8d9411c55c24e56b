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

export type StreetGatewayOptions = {
  key: GatewayKey;
  house: House;
  devices: readonly SimulatedDevice[];
  mqttUrl: string;
  version: string;
  clock: Clock;
  log: Logger;
};

export type StreetGateway = {
  /** Tells what its devices read now; nothing while there is no connection. */
  report(): void;
  close(): Promise<void>;
};

const stateEvery = 3; // reports
const againMs = 5000;

/** A gateway with nothing behind it but the model of a house: one connection, no disk, no devices on wires. */
export function startStreetGateway(options: StreetGatewayOptions): StreetGateway {
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
    reconnectPeriod: againMs,
    queueQoSZero: false,
    will: { topic: stateTopic(serial), payload: Buffer.from(stateText(false)), qos: 0, retain: false },
  });
  let isFailing = false;
  let reports = 0;
  client.on('connect', () => {
    if (isFailing) log.info({ serial }, 'the simulated gateway is connected again');
    isFailing = false;
    reports = 0;
    report();
  });
  client.on('error', (error) => {
    if (!isFailing) log.warn({ err: error, serial }, 'the simulated gateway is not connected, and tries again');
    isFailing = true;
  });
  // Each connection needs a token that is still good.
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
    async close() {
      if (client.connected) client.publish(stateTopic(serial), stateText(false));
      await client.endAsync();
    },
  };
}
