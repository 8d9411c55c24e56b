import { createPrivateKey } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DerReading } from '#contract/gateway/reading.ts';
import { readBootId } from '#gateway/uplink/boot-id.ts';
import { timeOf } from '#gateway/uplink/outbox/line.ts';
import { type Outbox, openOutbox } from '#gateway/uplink/outbox/outbox.ts';
import { TrustedTime } from '#gateway/uplink/trusted-time.ts';
import { createUplink } from '#gateway/uplink/uplink.ts';
import { monotonicClock, systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { createMeter } from '#sim/fleet/meter.ts';
import { brokerToken } from '#test/cloud/gateway-client.ts';

// The uplink of a gateway that takes readings of meters as it is told.

/** Readings of now, spread over devices, at a steady rate. */
export type LiveOrder = { perSecond: number; devices: number; seconds: number };
export type LiveAnswer = { taken: number; acknowledged: number; cpuShare: number; delaysMs: number[] };
/** Readings of the past, while there is no connection. */
export type FillOrder = { count: number; devices: number; stepMs: number };
export type FillAnswer = { diskBytes: number; jsonBytes: number };
/** Connects, and takes live readings until no old one waits, or for so long. */
export type DrainOrder = { devices: number; everyMs: number; mostSeconds: number };
export type DrainAnswer = { isDone: boolean; seconds: number; delaysMs: number[] };
export type Order = { live: LiveOrder } | { fill: FillOrder } | { drain: DrainOrder };

const { DATA_DIR, MQTT_URL, SERIAL, KEY } = process.env as Record<string, string>;
const log = createLog({ level: 'warn', name: 'gateway' });
const time = new TrustedTime(systemClock, monotonicClock);
const outbox = await openOutbox({
  folder: DATA_DIR!,
  time,
  monotonic: monotonicClock,
  boot: await readBootId(),
  log,
});

const takenAt = new Map<number, number>(); // live samples, by their time
const liveSeqs = new Map<number, number>(); // those on disk, by their number
let delaysMs: number[] = [];
let jsonBytes = 0;
const written = { count: 0 };
const opened = Date.now();

const watched: Outbox = {
  ...outbox,
  onReady: (listener) =>
    outbox.onReady((samples) => {
      for (const sample of samples) {
        written.count++;
        jsonBytes += sample.json.length;
        const began = takenAt.get(timeOf(sample));
        if (began !== undefined) liveSeqs.set(sample.seq, began);
        takenAt.delete(timeOf(sample));
      }
      listener(samples);
    }),
  acknowledge(ranges) {
    const now = performance.now();
    for (const [first, last] of ranges) {
      for (const [seq, began] of liveSeqs) {
        if (seq < first || seq > last) continue;
        delaysMs.push(now - began);
        liveSeqs.delete(seq);
      }
    }
    return outbox.acknowledge(ranges);
  },
};

const signer = { serial: SERIAL!, privateKey: createPrivateKey(KEY!), publicKey: '', sign: () => '' };
const deps = {
  serial: SERIAL!,
  version: 'bench',
  platform: 'bench',
  dataDir: '',
  boot: '',
  brokerToken: () => brokerToken(signer, Date.now()),
  devices: () => [],
  onCommand: () => {},
  clock: systemClock,
  monotonic: monotonicClock,
  log,
};
const uplink = createUplink(deps, time, watched);
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
  lastAt = Math.max(lastAt + 1, Date.now()); // so that each has a time of its own
  takenAt.set(lastAt, performance.now());
  uplink.take(`M${device}`, 'meter', reading(lastAt));
}

async function live({ perSecond, devices, seconds }: LiveOrder): Promise<LiveAnswer> {
  uplink.start();
  while (!uplink.isConnected()) await sleep(10);
  let taken = 0;
  delaysMs = [];
  const before = process.cpuUsage();
  const began = performance.now();
  for (let passed = 0; passed < seconds * 1000; passed = performance.now() - began) {
    for (const due = Math.floor((passed * perSecond) / 1000); taken < due; taken++) takeLive(taken % devices);
    await sleep(10);
  }
  const { user, system } = process.cpuUsage(before);
  const cpuShare = (user + system) / 1e6 / ((performance.now() - began) / 1000);
  const acknowledged = delaysMs.length;
  return { taken, acknowledged, cpuShare, delaysMs };
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
  return { diskBytes: outbox.counts().bytes, jsonBytes };
}

async function drain({ devices, everyMs, mostSeconds }: DrainOrder): Promise<DrainAnswer> {
  const began = performance.now();
  const passed = (): number => (performance.now() - began) / 1000;
  delaysMs = [];
  uplink.start();
  const timer = setInterval(() => Array.from({ length: devices }, (_, device) => takeLive(device)), everyMs);
  const isDone = (): boolean => (outbox.counts().oldest ?? opened) >= opened;
  while (!isDone() && passed() < mostSeconds) await sleep(50);
  clearInterval(timer);
  return { isDone: isDone(), seconds: passed(), delaysMs };
}

process.on('message', (order: Order) => {
  const answer = 'live' in order ? live(order.live) : 'fill' in order ? fill(order.fill) : drain(order.drain);
  void answer.then((said) => process.send?.(said));
});
process.on('disconnect', () => {
  void uplink.close().finally(() => process.exit());
});
process.send?.('open');
