import { createPrivateKey } from 'node:crypto';
import { flushCompileCache } from 'node:module';
import type { Outbox } from '#gateway/uplink/outbox/outbox.ts';
import { timeOf } from '#gateway/uplink/outbox/segment.ts';
import { createLog } from '#lib/log.ts';
import { openBareUplink } from './bare-uplink.ts';

// The uplink of a gateway as a process that tests kill. It takes readings of a meter, one every STEP milliseconds from FROM to END,
// and reports which are on disk. With PLANTED=early-word it reports them before.

export type GatewayNews =
  | { kept: { seq: number; at: number }[] }
  | { waiting: number; isConnected: boolean; isAcknowledged: boolean };

const { DATA_DIR, MQTT_URL, SERIAL, KEY, FROM, END, STEP, TRUST, PLANTED } = process.env as Record<string, string>;
const [atOnce, everyMs] = [10, 25];
const tell = (news: GatewayNews): void => void process.send?.(news);

const log = createLog({ level: 'error', name: 'gateway' });
const telling = (outbox: Outbox): Outbox => ({
  ...outbox,
  onReady: (listener) =>
    outbox.onReady((samples) => {
      if (PLANTED !== 'early-word') tell({ kept: samples.map((sample) => ({ seq: sample.seq, at: timeOf(sample) })) });
      listener(samples);
    }),
});
const { uplink } = await openBareUplink({
  gateway: { serial: SERIAL!, privateKey: createPrivateKey(KEY!) },
  folder: DATA_DIR!,
  watched: telling,
  trust: TRUST === 'broker' ? 'broker' : 'platform',
  limits: { segmentBytes: 20_000, commitMs: 20, minMs: 50, maxMs: 300, ackTimeoutMs: 3000 },
  log,
});
uplink.setBrokers(MQTT_URL);
uplink.start();

let at = Number(FROM);
const [end, step] = [Number(END), Number(STEP)];
setInterval(() => {
  const taken: { seq: number; at: number }[] = [];
  for (; taken.length < atOnce && at < end; at += step) {
    taken.push({ seq: at, at });
    uplink.take('M1', 'meter', {
      type: 'meter',
      timestamp: at,
      read_time_ms: 3,
      make: 'Test',
      W: at % 5000,
      L1_V: 230.1,
    });
  }
  if (PLANTED === 'early-word' && taken.length > 0) tell({ kept: taken });
}, everyMs);
setInterval(() => {
  const { waiting, connected, acknowledged } = uplink.status();
  tell({ waiting, isConnected: connected, isAcknowledged: acknowledged !== undefined });
}, 50);
flushCompileCache(); // at the end would be too late
