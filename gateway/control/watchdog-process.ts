// Watches the gateway while it controls devices, and releases them when the gateway dies, hangs or misses a deadline.
// The gateway starts it. It exits when the gateway is gone and no device is left to release.
// When both processes die, or the machine does, a device leaves control by its own timer where it has one
// (`revertsAfterMs` of its control profile); otherwise it keeps its last setpoint until the gateway starts again.
import { flushCompileCache } from 'node:module';
import { monotonicClock, systemClock } from '#lib/clock.ts';
import { createModbusBuses } from '../links/modbus/buses.ts';
import type { Part } from '../profiles/control/control-profile.ts';
import { findControl } from '../profiles/control/index.ts';
import { releaseFailed, releaseRetryMs } from './actuator.ts';
import { createMarkers } from './control-journal.ts';
import { createOpenActuator } from './modbus-actuator.ts';
import * as messages from './watchdog-messages.ts';

type Hold = {
  marker: messages.Marker;
  deadlines: messages.ReleaseDeadlines;
  done: Set<Part>;
  isBusy: boolean;
  failures: number;
  retryAt: number;
};

const tickMs = 250;
const graceMs = 2000; // leaves the gateway time to release at the end of a lease
const maxRetries = 8640; // about a day; the marker stays for the next start of the gateway

const [, , folder] = process.argv;
if (!folder) throw new Error('The watchdog needs the folder of the markers as its argument.');
const markers = createMarkers(folder);
const openActuator = createOpenActuator(createModbusBuses(), systemClock);
const gateway = process.ppid;
const holds = new Map<string, Hold>();
let isAlone = false;
let heardAt = monotonicClock.now();
let tickedAt = heardAt;

function log(level: 'info' | 'error', msg: string, fields: object): void {
  const line = { level, time: new Date(systemClock.now()).toISOString(), name: 'watchdog', ...fields, msg };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}

function receive(message: messages.ToWatchdog): void {
  heardAt = monotonicClock.now();
  if (message.kind === 'hold') {
    const { marker, deadlines } = message;
    const isBusy = holds.get(marker.sn)?.isBusy ?? false;
    holds.set(marker.sn, { marker, deadlines, done: new Set(), isBusy, failures: 0, retryAt: 0 });
  } else if (message.kind === 'released') holds.delete(message.sn);
  else send({ kind: 'beat' });
}

function send(message: messages.FromWatchdog): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {}); // 'disconnect' reports a gateway that is gone
}

function tick(): void {
  const now = monotonicClock.now();
  if (now - tickedAt > 2 * messages.beatMs) heardAt = now; // the whole machine was suspended
  tickedAt = now;
  if (!isAlone && holds.size > 0 && now - heardAt > messages.maxSilentMs) killGateway();
  for (const hold of holds.values()) {
    const parts = hold.marker.parts.filter((part) => isOverdue(part, hold, now));
    if (parts.length > 0 && !hold.isBusy && now >= hold.retryAt) void release(hold, parts);
  }
  if (isAlone && holds.size === 0) clearInterval(ticking); // nothing else keeps the process alive
}

const isOverdue = (part: Part, { deadlines, done }: Hold, now: number): boolean =>
  isAlone || (now > (deadlines[part] ?? Number.POSITIVE_INFINITY) + graceMs && !done.has(part));

/** Kills the gateway only while it is our parent process: its pid cannot have been reused then. */
function killGateway(): void {
  if (process.ppid !== gateway) return;
  log('error', 'gateway does not respond; killing it', { pid: gateway });
  process.kill(gateway, 'SIGKILL');
  heardAt = monotonicClock.now();
}

async function release(hold: Hold, parts: readonly Part[]): Promise<void> {
  const { marker } = hold;
  const { sn } = marker;
  const wasAlone = isAlone; // the gateway may die during the release, after which more parts are due
  hold.isBusy = true;
  try {
    if (wasAlone && !(await isMarked(marker))) {
      forget(hold); // another process has released it
      return;
    }
    const control = findControl(marker.profile);
    if (!control) throw new Error(`Unknown control profile ${marker.profile}.`);
    const actuator = await openActuator(control, marker.place);
    try {
      await actuator.release(parts, marker.facts, marker);
    } finally {
      await actuator.close();
    }
    log('info', 'device released', { sn, parts, because: wasAlone ? 'the gateway is gone' : 'the lease has ended' });
    for (const part of parts) hold.done.add(part);
    if (!wasAlone) return;
    if (await isMarked(marker)) await markers.remove(sn); // a gateway started in the meantime may have its own marker
    forget(hold);
  } catch (error) {
    const failures = ++hold.failures;
    if (failures === 1) log('error', releaseFailed, { sn, error: String(error) });
    if (failures === maxRetries) forget(hold);
    hold.retryAt = monotonicClock.now() + releaseRetryMs(failures);
  } finally {
    hold.isBusy = false;
    const current = holds.get(sn);
    if (current) current.isBusy = false;
  }
}

const isMarked = async ({ sn, id }: messages.Marker): Promise<boolean> => (await markers.find(sn))?.id === id;

function forget(hold: Hold): void {
  if (holds.get(hold.marker.sn)?.marker.id === hold.marker.id) holds.delete(hold.marker.sn);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {}); // the gateway ends this process
process.on('message', receive);
process.on('disconnect', () => {
  isAlone = true;
  tick();
});
const ticking = setInterval(tick, tickMs);
send({ kind: 'ready' });
flushCompileCache();
