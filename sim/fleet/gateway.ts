import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { telemetryTopic } from '#contract/topics.ts';
import type { Clock } from '#lib/clock.ts';
import type { GatewayKey } from '../street-gateways/gateway-key.ts';
import type { Ledger, Sample } from './ledger.ts';
import { createMeter, type Meter } from './meter.ts';
import { connackBytes, connectPacket, idOfPuback, pubackBytes, publishPacket } from './packets.ts';

export type FleetDevice = { hardware_id: string; der: string };

export type FleetGatewayOptions = {
  key: Pick<GatewayKey, 'serial' | 'brokerToken'>;
  devices: readonly FleetDevice[];
  mqttUrl: string;
  ledger: Ledger;
  clock: Clock;
  /** counts milliseconds, whatever becomes of the time of day */
  stopwatch: Clock;
  /** Told how long the platform took, from the moment a reading was meant. */
  acknowledged(tookMs: number): void;
};

type Waiting = {
  sample: Sample;
  topic: string;
  body: string;
  since: number;
  /** 0 until it is sent */
  id: number;
};

const inFlight = 50;
const mostId = 0xffff;
const silenceMs = 30_000; // a platform that owes an acknowledgement for so long is gone
const firstAgainMs = 500;
const longestAgainMs = 10_000;

/**
 * A gateway that reports meters and costs little: no client library, no disk. It keeps every reading until the platform
 * has acknowledged it, and sends it again after each loss of its connection.
 */
export class FleetGateway {
  readonly #options: FleetGatewayOptions;
  readonly #meters: { device: FleetDevice; topic: string; meter: Meter }[];
  readonly #waiting = new Map<number, Waiting>(); // by the number it was made with, the oldest first
  #made = 0;
  #sent = new Map<number, number>(); // by the id of its packet on this connection
  #lastId = 0;
  #lastAt = 0;
  #heardAt = 0;
  #failures = 0;
  #socket: Socket | undefined;
  #isConnected = false;
  #again: NodeJS.Timeout | undefined;

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

  /** readings that are not acknowledged yet */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Takes a reading of the next of its meters, now, and sends it as soon as there is a connection. */
  report(): void {
    const { ledger, clock, stopwatch } = this.#options;
    const { device, topic, meter } = this.#meters[this.#made % this.#meters.length]!;
    this.#lastAt = Math.max(this.#lastAt + 1, clock.now()); // one reading a millisecond and DER, at most
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

  /** Ends a connection on which nothing is heard though something is waited for. */
  look(): void {
    const owes = this.#socket && (!this.#isConnected || this.#sent.size > 0);
    if (owes && this.#options.stopwatch.now() - this.#heardAt > silenceMs) this.#socket!.destroy();
  }

  /** As a cut wire would: it comes back by itself. */
  drop(): void {
    this.#socket?.destroy();
  }

  close(): void {
    clearTimeout(this.#again);
    const socket = this.#socket;
    this.#socket = undefined;
    this.#isConnected = false;
    socket?.destroy();
  }

  /** Everything a broker tells who only publishes is four bytes long; what is left over is returned. */
  #read(bytes: Buffer): Buffer {
    this.#heardAt = this.#options.stopwatch.now();
    let at = 0;
    if (!this.#isConnected) {
      if (bytes.length < connackBytes) return bytes;
      if (bytes[3] !== 0) {
        this.#socket?.destroy(); // refused: perhaps the platform is only just starting
        return Buffer.alloc(0);
      }
      this.#isConnected = true;
      this.#failures = 0;
      at = connackBytes;
    }
    for (; at + pubackBytes <= bytes.length; at += pubackBytes) this.#settle(idOfPuback(bytes, at));
    this.#sendMore();
    return bytes.subarray(at);
  }

  #settle(id: number): void {
    const made = this.#sent.get(id);
    const reading = made === undefined ? undefined : this.#waiting.get(made);
    if (!reading) return;
    this.#sent.delete(id);
    this.#waiting.delete(made!);
    this.#options.ledger.acknowledge(reading.sample);
    this.#options.acknowledged(this.#options.stopwatch.now() - reading.since);
  }

  #sendMore(): void {
    if (!this.#isConnected || this.#sent.size >= inFlight) return;
    if (this.#sent.size === 0) this.#heardAt = this.#options.stopwatch.now();
    for (const [made, reading] of this.#waiting) {
      if (this.#sent.size >= inFlight) return;
      if (reading.id > 0) continue;
      reading.id = this.#lastId = (this.#lastId % mostId) + 1;
      this.#sent.set(reading.id, made);
      this.#socket!.write(publishPacket(reading.topic, reading.id, reading.body));
    }
  }

  #lost(socket: Socket): void {
    if (socket !== this.#socket) return;
    this.#socket = undefined;
    this.#isConnected = false;
    this.#sent = new Map();
    for (const reading of this.#waiting.values()) reading.id = 0;
    const ceilingMs = Math.min(longestAgainMs, firstAgainMs * 2 ** this.#failures++);
    this.#again = setTimeout(() => this.connect(), Math.random() * ceilingMs); // by chance, so that a fleet spreads
  }
}
