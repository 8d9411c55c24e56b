import { createSchedule } from '#lib/every.ts';
import { formatEvent } from '#lib/http/sse.ts';
import { parseJson } from '#lib/json.ts';
import * as queries from '../store/presence.ts';
import type { CommonDeps } from '../store/store.ts';
import type { TelemetryRoute } from '../store/telemetry-registry.ts';
import { deviceEvent, type Live } from './live.ts';

const writeMs = 1000;
const gatewaySilenceMs = 50_000; // three missed states of 15 s
const deviceSilenceMs = 150_000; // some devices send once a minute
const lateMs = 10_000; // readings may still arrive after their gateway disconnected
const silenceCheckMs = 5000; // the check reads every online gateway and device

/** Collects presence in memory and writes changes once a second. */
export function createPresence({ store, live, clock, log }: CommonDeps & { live: Live }) {
  let devices = new Map<string, TelemetryRoute>();
  let gateways = new Map<string, boolean>();
  let deliverers = new Map<string, number>(); // when the last reading of each gateway arrived, since the last check
  let silenceCheckedAt = Number.NEGATIVE_INFINITY;
  let lastWrite = Promise.resolve();
  const schedule = createSchedule(log, [writeMs, write, 'saving presence']);

  /** Writes after any write that is under way, so that the last one ends after all others. */
  function write(): Promise<void> {
    lastWrite = lastWrite.catch(() => {}).then(writeChanges);
    return lastWrite;
  }

  async function writeChanges(): Promise<void> {
    const now = clock.now();
    const isSilenceDue = Math.abs(now - silenceCheckedAt) >= silenceCheckMs; // the clock may be set back
    if (!isSilenceDue && devices.size === 0 && gateways.size === 0) return;
    const [heardDevices, seenGateways] = [devices, gateways];
    devices = new Map();
    gateways = new Map();
    for (const { gateway_serial } of heardDevices.values()) deliverers.set(gateway_serial, now);
    const isRecent = (at: number): boolean => Math.abs(now - at) <= silenceCheckMs;
    const others = [...deliverers].flatMap(([serial, at]) =>
      isSilenceDue && isRecent(at) && !seenGateways.has(serial) ? [serial] : [],
    );
    const changed = await store.write(async ({ db }) => {
      const pending = await queries.listPendingDevices(db, [...heardDevices.keys()]);
      await queries.saveDevicesSeen(db, [...heardDevices.keys()], now);
      const delivering = await queries.listGatewaysNotSeen(db, others, now - lateMs, now);
      const came = await queries.saveGatewayPresence(db, [...serialsOf(seenGateways, true), ...delivering], true, now);
      const went = await queries.saveGatewayPresence(db, serialsOf(seenGateways, false), false, now);
      const since = { gateway: now - gatewaySilenceMs, device: now - deviceSilenceMs };
      const silent = isSilenceDue ? await queries.markSilentOffline(db, since) : [];
      return { pending, came, gone: [...went, ...silent] };
    });
    if (isSilenceDue) {
      silenceCheckedAt = now;
      deliverers = new Map();
    }
    emitActive(heardDevices.values(), changed.pending);
    for (const serial of changed.came) await emitGateway(serial, true);
    for (const serial of changed.gone) await emitGateway(serial, false);
  }

  function emitActive(routes: Iterable<TelemetryRoute>, activated: readonly string[]): void {
    const ids = new Set(activated);
    for (const { device_id: id, site_id } of routes) {
      if (ids.delete(id)) live.emit(site_id, deviceEvent(id, 'active'));
    }
  }

  async function emitGateway(serial: string, isOnline: boolean): Promise<void> {
    const event = formatEvent(JSON.stringify({ gateway_serial: serial, online: isOnline }), { event: 'gateway' });
    for (const siteId of await queries.listGatewaySites(store.db, serial)) live.emit(siteId, event);
  }

  return {
    heard: (route: TelemetryRoute): void => void devices.set(route.device_id, route),
    /** Marks devices as active, whose first readings were stored. */
    async activate(routes: readonly TelemetryRoute[]): Promise<void> {
      const ids = [...new Set(routes.map(({ device_id }) => device_id))];
      emitActive(routes, await store.write(({ db }) => queries.activateDevices(db, ids, clock.now())));
    },
    /** Notes that a gateway published its state, possibly as its last will. */
    state: (serial: string, payload: Uint8Array): void => void gateways.set(serial, isOnlineState(payload)),
    /** Notes that a gateway connected to the broker, or disconnected. */
    connection: (serial: string, isConnected: boolean): void => void gateways.set(serial, isConnected),
    start: schedule.start,
    async stop(): Promise<void> {
      schedule.stop();
      await write().catch((error: unknown) => log.warn({ err: error }, 'failed to persist last-seen times'));
    },
  };
}

const serialsOf = (seen: ReadonlyMap<string, boolean>, isOnline: boolean): string[] =>
  [...seen].flatMap(([serial, isThere]) => (isThere === isOnline ? [serial] : []));

/** Returns false only for a state with `online: false`. */
function isOnlineState(payload: Uint8Array): boolean {
  try {
    const state = parseJson(payload);
    return !(typeof state === 'object' && state !== null && 'online' in state && state.online === false);
  } catch {
    return true;
  }
}
