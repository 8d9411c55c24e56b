import type { Clock } from '#lib/clock.ts';
import { every } from '#lib/every.ts';
import { formatEvent } from '#lib/http/sse.ts';
import { parseJson } from '#lib/json.ts';
import type { Logger } from '#lib/log.ts';
import {
  activateDevices,
  listGatewaySites,
  listGatewaysNotSeen,
  listPendingDevices,
  markSilentOffline,
  saveDevicesSeen,
  saveGatewayPresence,
} from '../store/presence.ts';
import type { Store } from '../store/store.ts';
import type { TelemetryRoute } from '../store/telemetry-registry.ts';
import { deviceEvent, type Live } from './live.ts';

export type Presence = {
  /** A reading of one of its DERs was stored. */
  heard(route: TelemetryRoute): void;
  /** First readings of devices were stored: they are active at once. */
  activate(routes: readonly TelemetryRoute[]): Promise<void>;
  /** The gateway published its state, possibly as its last will. */
  state(serial: string, payload: Uint8Array): void;
  /** The gateway connected to the broker, or disconnected. */
  connection(serial: string, isConnected: boolean): void;
  start(): void;
  stop(): Promise<void>;
};

const writeMs = 1000;
const gatewaySilenceMs = 50_000; // three missed states of 15 s
const deviceSilenceMs = 150_000; // some devices send once a minute
const believedMs = 10_000; // readings may still arrive after their gateway disconnected
const silenceCheckMs = 5000; // the check reads every online gateway and device

/** Collects presence in memory and writes changes once a second. */
export function createPresence({
  store,
  live,
  clock,
  log,
}: {
  store: Store;
  live: Live;
  clock: Clock;
  log: Logger;
}): Presence {
  let devices = new Map<string, TelemetryRoute>();
  let gateways = new Map<string, boolean>();
  let deliverers = new Map<string, number>(); // when the last reading of each gateway arrived, since the last check
  let silenceCheckedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
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
      const pending = await listPendingDevices(db, [...heardDevices.keys()]);
      await saveDevicesSeen(db, [...heardDevices.keys()], now);
      const delivering = await listGatewaysNotSeen(db, others, now - believedMs, now);
      const came = await saveGatewayPresence(db, [...serialsOf(seenGateways, true), ...delivering], true, now);
      const went = await saveGatewayPresence(db, serialsOf(seenGateways, false), false, now);
      const since = { gateway: now - gatewaySilenceMs, device: now - deviceSilenceMs };
      const silent = isSilenceDue ? await markSilentOffline(db, since) : [];
      return { pending, came, gone: [...went, ...silent] };
    });
    if (isSilenceDue) {
      silenceCheckedAt = now;
      deliverers = new Map();
    }
    for (const deviceId of changed.pending) {
      const { site_id } = heardDevices.get(deviceId)!;
      live.emit(site_id, deviceEvent(deviceId, 'active'));
    }
    for (const serial of changed.came) await tellSites(serial, true);
    for (const serial of changed.gone) await tellSites(serial, false);
  }

  async function tellSites(serial: string, isOnline: boolean): Promise<void> {
    const event = formatEvent(JSON.stringify({ gateway_serial: serial, online: isOnline }), { event: 'gateway' });
    for (const siteId of await listGatewaySites(store.db, serial)) live.emit(siteId, event);
  }

  return {
    heard: (route) => devices.set(route.device_id, route),
    async activate(routes) {
      const siteOf = new Map(routes.map(({ device_id, site_id }) => [device_id, site_id]));
      const activated = await store.write(({ db }) => activateDevices(db, [...siteOf.keys()], clock.now()));
      for (const id of activated) live.emit(siteOf.get(id)!, deviceEvent(id, 'active'));
    },
    state(serial, payload) {
      gateways.set(serial, saysOnline(payload));
    },
    connection(serial, isConnected) {
      gateways.set(serial, isConnected);
    },
    start() {
      timer = every(writeMs, write, 'saving presence', log);
    },
    async stop() {
      clearInterval(timer);
      await write().catch((error: unknown) => log.warn({ err: error }, 'failed to persist last-seen times'));
    },
  };
}

const serialsOf = (seen: ReadonlyMap<string, boolean>, isOnline: boolean): string[] =>
  [...seen].flatMap(([serial, isThere]) => (isThere === isOnline ? [serial] : []));

/** Returns true unless the state says that the gateway is offline. */
function saysOnline(payload: Uint8Array): boolean {
  try {
    return (parseJson(payload) as { online?: unknown } | null)?.online !== false;
  } catch {
    return true;
  }
}
