import mqtt from 'mqtt';
import type { DerKind, DerReading, Values } from '#contract/gateway/reading.ts';
import { type Clock, monotonicClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { type MqttBrokerOptions, startMqttBroker } from '#test/services/mqtt-broker.ts';
import type { Home } from '../announced.ts';
import type { HomeDevice } from '../home-assistant.ts';
import { openHomeAssistant } from '../home-assistant.ts';

export const serial = 'ohm-0123456789abcdef';

/** Starts the broker of a home. */
export async function startHomeBroker(options: MqttBrokerOptions = {}) {
  const { aedes, port, close } = await startMqttBroker(options);
  const published: { topic: string; text: string }[] = [];
  const retained = new Map<string, string>();
  aedes.on('publish', ({ topic, payload, retain }, client) => {
    const text = payload.toString();
    if (client) published.push({ topic, text });
    if (retain && text === '') retained.delete(topic);
    else if (retain) retained.set(topic, text);
  });
  return {
    port,
    url: `mqtt://127.0.0.1:${port}`,
    /** all messages that clients published */
    published,
    /** retained messages */
    retained,
    topics: (): string[] => [...retained.keys()].toSorted(),
    close,
  };
}

type Heard = { topic: string; text: string; isRetained: boolean };

/** Subscribes to everything on that broker, like Home Assistant. */
export async function openHome(url: string) {
  const client = await mqtt.connectAsync(url, { reconnectPeriod: 0, protocolVersion: 4 }, false);
  const heard: Heard[] = [];
  client.on('message', (topic, payload, { retain }) => {
    heard.push({ topic, text: payload.toString(), isRetained: retain });
  });
  await client.subscribeAsync('#', { qos: 0 });
  return {
    heard,
    last: (topic: string): string | undefined => heard.findLast((message) => message.topic === topic)?.text,
    count: (topic: string): number => heard.filter((message) => message.topic === topic).length,
    say: (topic: string, text: string) => client.publishAsync(topic, text),
    close: () => client.endAsync(true),
  };
}

/** Creates a device with readings that the test sets. */
export function trialDevice(sn = 'INV-1') {
  const readings: Partial<Record<DerKind, DerReading>> = {};
  const device = {
    sn,
    make: 'Sungrow',
    model: 'Sungrow SH hybrid inverter',
    isConnected: true,
    snapshot: () => ({ ...readings, version: 'v1' as const, format: 'json' }),
    tell(type: DerKind, values: Values, timestamp = 1_780_000_000_000): void {
      readings[type] = { type, timestamp, read_time_ms: 12, make: 'Sungrow', ...values };
    },
  };
  return device satisfies HomeDevice;
}

type Trial = {
  devices: HomeDevice[];
  dataDir: string;
  monotonic?: Clock;
  uplink?: { connected: boolean; waiting: number };
  everyMs?: number;
};

/** Opens the bridge with short intervals. */
export async function startTrial(home: string | Home | undefined, trial: Trial) {
  const { devices, dataDir, monotonic = monotonicClock, uplink = { connected: true, waiting: 3 } } = trial;
  const lines: string[] = [];
  const bridge = await openHomeAssistant({
    home: typeof home === 'string' ? { url: home, prefix: 'homeassistant' } : home,
    serial,
    version: '1.2.3',
    dataDir,
    devices: () => devices,
    uplink: () => uplink,
    monotonic,
    log: createLog({ level: 'debug', name: 'test', destination: { write: (line) => void lines.push(line) } }),
    pace: { everyMs: trial.everyMs ?? 20, minMs: 5, maxMs: 20 },
  });
  bridge.start();
  return {
    lines,
    logged: (text: string): number => lines.filter((line) => line.includes(text)).length,
    close: () => bridge.close(),
  };
}
