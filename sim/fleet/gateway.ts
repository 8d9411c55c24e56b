import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { generate } from 'mqtt-packet';
import { telemetryTopic } from '#contract/topics.ts';
import type { Clock } from '#lib/clock.ts';
import '#lib/mqtt-packet-cache.ts';
import type { GatewayKey } from '../street-gateways/gateway-key.ts';
import type { Ledger, Sample } from './ledger.ts';

export type Meter = ReturnType<typeof createMeter>;

const powerFactor = 0.98;
const stepHours = 5 / 3600;

/** Creates a three-phase meter with varying loads, voltages and frequency; the same seed gives the same values. */
export function createMeter(seed: number) {
  const random = randomFrom(seed);
  const loads: [number, number, number] = [300, 150, 80];
  const volts: [number, number, number] = [2305, 2312, 2298]; // tenths
  let mHz = 50_000;
  let importWh = 1e6 + seed * 1000;
  let exportWh = 2e5 + seed;

  const wander = (value: number, middle: number, step: number): number =>
    value + (random() - 0.5) * step - (value - middle) * 0.02;

  function readPhase(phase: 0 | 1 | 2): { W: number; V: number; A: number } {
    const load = loads[phase];
    if (random() < 0.02) loads[phase] = random() < 0.1 ? -2000 * random() : 1500 * random() ** 3; // sun, appliances
    volts[phase] = wander(volts[phase], 2305, 6);
    const W = Math.round(load * (1 + (random() - 0.5) * 0.01));
    const V = Math.round(volts[phase]) / 10;
    return { W, V, A: Math.round((100 * W) / V / powerFactor) / 100 };
  }

  return {
    /** Returns a reading as JSON, with the timestamp first. */
    read(at: number): string {
      const [l1, l2, l3] = [readPhase(0), readPhase(1), readPhase(2)];
      mHz = wander(mHz, 50_000, 12);
      const W = l1.W + l2.W + l3.W;
      if (W > 0) importWh += W * stepHours;
      else exportWh -= W * stepHours;
      const V = Math.round((10 * (l1.V + l2.V + l3.V)) / 3) / 10;
      const A = Math.round(100 * (l1.A + l2.A + l3.A)) / 100;
      return (
        `{"timestamp":${at},"W":${W},"V":${V},"A":${A},"Hz":${Math.round(mHz / 10) / 100},` +
        `"L1_W":${l1.W},"L2_W":${l2.W},"L3_W":${l3.W},"L1_V":${l1.V},"L2_V":${l2.V},"L3_V":${l3.V},` +
        `"L1_A":${l1.A},"L2_A":${l2.A},"L3_A":${l3.A},` +
        `"total_import_Wh":${Math.floor(importWh)},"total_export_Wh":${Math.floor(exportWh)}}`
      );
    },
  };
}

/** Returns a pseudo-random generator (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export type FleetDevice = { hardware_id: string; der: string };

type FleetGatewayOptions = {
  key: Pick<GatewayKey, 'serial' | 'brokerToken'>;
  devices: readonly FleetDevice[];
  mqttUrl: string;
  ledger: Ledger;
  clock: Clock;
  /** monotonic clock */
  stopwatch: Clock;
  /** Called with the time from a reading to its acknowledgement. */
  onAcknowledged(tookMs: number): void;
};

type Waiting = {
  sample: Sample;
  topic: string;
  body: string;
  since: number;
  /** packet id; 0 until sent */
  id: number;
};

const maxInFlight = 50;
const maxPacketId = 0xffff;
const silenceMs = 30_000; // without an acknowledgement for this long, the connection is closed
const minReconnectMs = 500;
const maxReconnectMs = 10_000;

/** A gateway of meters without client library and disk. It keeps every reading until the platform acknowledges it. */
export class FleetGateway {
  readonly #options: FleetGatewayOptions;
  readonly #meters: { device: FleetDevice; topic: string; meter: Meter }[];
  readonly #waiting = new Map<number, Waiting>(); // by sequence number, the oldest first
  #made = 0;
  #sent = new Map<number, number>(); // sequence numbers by packet id, on this connection
  #lastId = 0;
  #lastAt = 0;
  #heardAt = 0;
  #failures = 0;
  #socket: Socket | undefined;
  #isConnected = false;
  #reconnect: NodeJS.Timeout | undefined;

  constructor(options: FleetGatewayOptions, seed: number) {
    this.#options = options;
    const { serial } = options.key;
    this.#meters = options.devices.map((device, number) => ({
      device,
      topic: telemetryTopic(serial, device.hardware_id, 'meter'),
      meter: createMeter(seed + number),
    }));
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** The number of unacknowledged readings. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Takes a reading of the next meter, and sends it once connected. */
  report(): void {
    const { ledger, clock, stopwatch } = this.#options;
    const next = this.#meters[this.#made % this.#meters.length];
    if (!next) throw new Error('The gateway has no meters.');
    const { device, topic, meter } = next;
    this.#lastAt = Math.max(this.#lastAt + 1, clock.now()); // at most one reading per millisecond and DER
    const sample = { der: device.der, at: this.#lastAt };
    ledger.intend(sample);
    const body = `{"make":"Simulated",${meter.read(sample.at).slice(1)}`;
    this.#waiting.set(this.#made, { sample, topic, body, since: stopwatch.now(), id: 0 });
    this.#made++;
    this.#sendMore();
  }

  connect(): void {
    const { key, mqttUrl, clock, stopwatch } = this.#options;
    const { protocol, hostname: host, port } = new URL(mqttUrl);
    const isSecure = protocol === 'mqtts:';
    const to = { host, port: Number(port || (isSecure ? 8883 : 1883)) };
    const socket = isSecure ? connectTls({ ...to, servername: host }) : connectTcp({ ...to, noDelay: true });
    this.#socket = socket;
    this.#heardAt = stopwatch.now();
    socket.write(connectPacket({ serial: key.serial, password: key.brokerToken(clock.now()) }));
    let rest: Buffer = Buffer.alloc(0);
    socket.on('data', (bytes: Buffer) => {
      rest = this.#read(rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes);
    });
    socket.on('error', () => {}); // followed by close
    socket.on('close', () => this.#lost(socket));
  }

  /** Closes a connection on which an expected answer is overdue. */
  checkTimeout(): void {
    const isWaiting = !this.#isConnected || this.#sent.size > 0;
    if (isWaiting && this.#options.stopwatch.now() - this.#heardAt > silenceMs) this.#socket?.destroy();
  }

  /** Drops the connection; the gateway reconnects. */
  drop(): void {
    this.#socket?.destroy();
  }

  close(): void {
    clearTimeout(this.#reconnect);
    const socket = this.#socket;
    this.#socket = undefined;
    this.#isConnected = false;
    socket?.destroy();
  }

  /** Reads CONNACK and PUBACK packets, which have four bytes each; returns the remaining bytes. */
  #read(bytes: Buffer): Buffer {
    this.#heardAt = this.#options.stopwatch.now();
    let at = 0;
    if (!this.#isConnected) {
      if (bytes.length < connackBytes) return bytes;
      if (bytes[3] !== 0) {
        this.#socket?.destroy(); // refused; the platform may still be starting
        return Buffer.alloc(0);
      }
      this.#isConnected = true;
      this.#failures = 0;
      at = connackBytes;
    }
    for (; at + pubackBytes <= bytes.length; at += pubackBytes) this.#acknowledge(bytes.readUInt16BE(at + 2));
    this.#sendMore();
    return bytes.subarray(at);
  }

  #acknowledge(id: number): void {
    const made = this.#sent.get(id);
    if (made === undefined) return;
    const reading = this.#waiting.get(made);
    if (!reading) return;
    this.#sent.delete(id);
    this.#waiting.delete(made);
    this.#options.ledger.acknowledge(reading.sample);
    this.#options.onAcknowledged(this.#options.stopwatch.now() - reading.since);
  }

  #sendMore(): void {
    if (!this.#isConnected || this.#sent.size >= maxInFlight) return;
    if (this.#sent.size === 0) this.#heardAt = this.#options.stopwatch.now();
    for (const [made, reading] of this.#waiting) {
      if (this.#sent.size >= maxInFlight) return;
      if (reading.id > 0) continue;
      reading.id = this.#lastId = (this.#lastId % maxPacketId) + 1;
      this.#sent.set(reading.id, made);
      this.#socket?.write(publishPacket(reading.topic, reading.id, reading.body));
    }
  }

  #lost(socket: Socket): void {
    if (socket !== this.#socket) return;
    this.#socket = undefined;
    this.#isConnected = false;
    this.#sent = new Map();
    for (const reading of this.#waiting.values()) reading.id = 0;
    const ceilingMs = Math.min(maxReconnectMs, minReconnectMs * 2 ** this.#failures++);
    this.#reconnect = setTimeout(() => this.connect(), Math.random() * ceilingMs); // random, so that a fleet spreads out
  }
}

export const connackBytes = 4;
export const pubackBytes = 4;

export function connectPacket({ serial, password }: { serial: string; password: string }): Buffer {
  const login = { clientId: serial, username: serial, password: Buffer.from(password) };
  return generate({ cmd: 'connect', protocolVersion: 4, clean: true, keepalive: 0, ...login });
}

export const publishPacket = (topic: string, messageId: number, payload: string): Buffer =>
  generate({ cmd: 'publish', topic, messageId, payload, qos: 1, dup: false, retain: false });
