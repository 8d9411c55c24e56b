import { createPrivateKey } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DerReading } from '#contract/gateway/reading.ts';
import type { Outbox } from '#gateway/uplink/outbox/outbox.ts';
import { createLog } from '#lib/log.ts';
import { createMeter } from '#sim/fleet/gateway.ts';
import { openBareUplink } from '#test/faults/bare-uplink.ts';
import { timeSamples } from '#test/faults/timed-samples.ts';

// The uplink of a gateway that accepts readings on request.

/** Adds current readings, spread over devices, at a fixed rate. */
export type LiveOrder = { perSecond: number; devices: number; seconds: number };
export type LiveAnswer = { taken: number; acknowledged: number; cpuShare: number; delaysMs: number[] };
/** Adds past readings while disconnected. */
export type FillOrder = { count: number; devices: number; stepMs: number };
export type FillAnswer = { diskBytes: number; jsonBytes: number };
/** Connects, and adds live readings until no old one waits, or until the timeout. */
export type DrainOrder = { devices: number; everyMs: number; mostSeconds: number };
export type DrainAnswer = { isDone: boolean; seconds: number; delaysMs: number[] };
export type Order = { live: LiveOrder } | { fill: FillOrder } | { drain: DrainOrder };

const { DATA_DIR, MQTT_URL, SERIAL, KEY } = process.env as Record<string, string>;
const log = createLog({ level: 'warn', name: 'gateway' });
const samples = timeSamples();
const written = { count: 0, jsonBytes: 0 };
const counted = (outbox: Outbox): Outbox => ({
  ...outbox,
  onReady: (listener) =>
    outbox.onReady((ready) => {
      written.count += ready.length;
      for (const { json } of ready) written.jsonBytes += json.length;
      listener(ready);
    }),
});
const opened = Date.now();
const { outbox, uplink } = await openBareUplink({
  gateway: { serial: SERIAL!, privateKey: createPrivateKey(KEY!) },
  folder: DATA_DIR!,
  watched: (outbox) => samples.watched(counted(outbox)),
  log,
});
uplink.setBrokers(MQTT_URL);

const meter = createMeter(1);
let lastAt = 0;
const reading = (at: number): DerReading => ({
  type: 'meter',
  read_time_ms: 12,
  make: 'Meter',
  ...JSON.parse(meter.read(at)),
});

function takeLive(device: number): void {
  lastAt = Math.max(lastAt + 1, Date.now()); // so that each has its own time
  samples.take(lastAt);
  uplink.take(`M${device}`, 'meter', reading(lastAt));
}

async function live({ perSecond, devices, seconds }: LiveOrder): Promise<LiveAnswer> {
  uplink.start();
  while (!uplink.isConnected()) await sleep(10);
  let taken = 0;
  samples.tookMs.length = 0;
  const before = process.cpuUsage();
  const began = performance.now();
  for (let passed = 0; passed < seconds * 1000; passed = performance.now() - began) {
    for (const due = Math.floor((passed * perSecond) / 1000); taken < due; taken++) takeLive(taken % devices);
    await sleep(10);
  }
  const { user, system } = process.cpuUsage(before);
  const cpuShare = (user + system) / 1e6 / ((performance.now() - began) / 1000);
  return { taken, acknowledged: samples.tookMs.length, cpuShare, delaysMs: samples.tookMs };
}

async function writtenUpTo(count: number): Promise<void> {
  while (written.count < count) await sleep(5);
}

async function fill({ count, devices, stepMs }: FillOrder): Promise<FillAnswer> {
  const began = Date.now() - (count / devices) * stepMs;
  for (let made = 0; made < count; made++) {
    uplink.take(`M${made % devices}`, 'meter', reading(began + Math.floor(made / devices) * stepMs));
    if (made % 5000 === 0) await writtenUpTo(made - 10_000);
  }
  await writtenUpTo(count);
  return { diskBytes: outbox.counts().bytes, jsonBytes: written.jsonBytes };
}

async function drain({ devices, everyMs, mostSeconds }: DrainOrder): Promise<DrainAnswer> {
  const began = performance.now();
  const passed = (): number => (performance.now() - began) / 1000;
  samples.tookMs.length = 0;
  uplink.start();
  const timer = setInterval(() => Array.from({ length: devices }, (_, device) => takeLive(device)), everyMs);
  const isDone = (): boolean => (outbox.counts().oldest ?? opened) >= opened;
  while (!isDone() && passed() < mostSeconds) await sleep(50);
  clearInterval(timer);
  return { isDone: isDone(), seconds: passed(), delaysMs: samples.tookMs };
}

process.on('message', (order: Order) => {
  const answer = 'live' in order ? live(order.live) : 'fill' in order ? fill(order.fill) : drain(order.drain);
  void answer.then((said) => process.send?.(said));
});
process.on('disconnect', () => {
  void uplink.close().finally(() => process.exit());
});
process.send?.('open');
