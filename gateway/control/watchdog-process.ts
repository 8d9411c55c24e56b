// Watches the gateway while it controls devices. When the gateway dies, hangs or does not let go in time, the devices are
// released from here. It is started by the gateway, and goes when the gateway is gone and nothing is left to release.
// When both die, or the machine does, a device goes back by its own timer where it has one (`revertsAfterMs` of its
// control profile); else it keeps its last set point until the gateway starts again and finds the marker.
import { flushCompileCache } from 'node:module';
import { monotonicClock, systemClock } from '#lib/clock.ts';
import { createModbusBuses } from '../links/modbus/buses.ts';
import type { Part } from '../profiles/control/control-profile.ts';
import { findControl } from '../profiles/control/index.ts';
import { createMarkers, type Marker } from './marker.ts';
import { createOpenHand } from './open-hand.ts';
import { notReleased, releaseRetryMs } from './release-retry.ts';
import { beatMs, type Ends, type FromWatchdog, silentMs, type ToWatchdog } from './watchdog-messages.ts';

type Hold = { marker: Marker; ends: Ends; done: Set<Part>; isBusy: boolean; failures: number; retryAt: number };

const tickMs = 250;
const graceMs = 2000; // the gateway itself releases when a lease ends
const mostRetries = 8640; // a day; the marker stays for the next start of the gateway

const markers = createMarkers(process.argv[2]!);
const openHand = createOpenHand(createModbusBuses(), systemClock);
const gateway = process.ppid;
const holds = new Map<string, Hold>();
let isAlone = false;
let heardAt = monotonicClock.now();
let tickedAt = heardAt;

function log(level: 'info' | 'error', msg: string, fields: object): void {
  const line = { level, time: new Date(systemClock.now()).toISOString(), name: 'watchdog', ...fields, msg };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}

function take(message: ToWatchdog): void {
  heardAt = monotonicClock.now();
  if (message.kind === 'hold') {
    const { marker, ends } = message;
    const isBusy = holds.get(marker.sn)?.isBusy ?? false;
    holds.set(marker.sn, { marker, ends, done: new Set(), isBusy, failures: 0, retryAt: 0 });
  } else if (message.kind === 'released') holds.delete(message.sn);
  else tell({ kind: 'beat' });
}

function tell(message: FromWatchdog): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {}); // that it is gone is told by 'disconnect'
}

function tick(): void {
  const now = monotonicClock.now();
  if (now - tickedAt > 2 * beatMs) heardAt = now; // the whole machine stood still
  tickedAt = now;
  if (!isAlone && holds.size > 0 && now - heardAt > silentMs) killGateway();
  for (const hold of holds.values()) {
    const parts = hold.marker.parts.filter((part) => isOverdue(part, hold, now));
    if (parts.length > 0 && !hold.isBusy && now >= hold.retryAt) void release(hold, parts);
  }
  if (isAlone && holds.size === 0) clearInterval(ticking); // and with that, everything ends
}

const isOverdue = (part: Part, { ends, done }: Hold, now: number): boolean =>
  isAlone || (now > (ends[part] ?? Number.POSITIVE_INFINITY) + graceMs && !done.has(part));

/** As long as it is our parent, its number belongs to nobody else. */
function killGateway(): void {
  if (process.ppid !== gateway) return;
  log('error', 'the gateway hangs and is killed', { pid: gateway });
  process.kill(gateway, 'SIGKILL');
  heardAt = monotonicClock.now();
}

async function release(hold: Hold, parts: readonly Part[]): Promise<void> {
  const { marker } = hold;
  const { sn } = marker;
  const wasAlone = isAlone; // the gateway may go meanwhile, and then there is more to do
  hold.isBusy = true;
  try {
    if (wasAlone && !(await isMarked(marker))) {
      forget(hold); // another process has released it meanwhile
      return;
    }
    const hand = await openHand(findControl(marker.profile)!, marker.place);
    try {
      await hand.release(parts, marker.facts, marker);
    } finally {
      await hand.close();
    }
    log('info', 'device released', { sn, parts, because: wasAlone ? 'the gateway is gone' : 'the lease has ended' });
    for (const part of parts) hold.done.add(part);
    if (!wasAlone) return;
    if (await isMarked(marker)) await markers.remove(sn); // a gateway that was started meanwhile may have its own
    forget(hold);
  } catch (error) {
    const failures = ++hold.failures;
    if (failures === 1) log('error', notReleased, { sn, error: String(error) });
    if (failures === mostRetries) forget(hold);
    hold.retryAt = monotonicClock.now() + releaseRetryMs(failures);
  } finally {
    hold.isBusy = false;
    const current = holds.get(sn);
    if (current) current.isBusy = false;
  }
}

const isMarked = async ({ sn, id }: Marker): Promise<boolean> => (await markers.find(sn))?.id === id;

function forget(hold: Hold): void {
  if (holds.get(hold.marker.sn)?.marker.id === hold.marker.id) holds.delete(hold.marker.sn);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {}); // the gateway ends us
process.on('message', take);
process.on('disconnect', () => {
  isAlone = true;
  tick();
});
const ticking = setInterval(tick, tickMs);
tell({ kind: 'ready' });
flushCompileCache();
