import { type DerKind, derKinds } from '#contract/gateway/reading.ts';
import type { Clock } from '#lib/clock.ts';
import { within } from '#lib/within.ts';
import { LinkError } from '../links/link-error.ts';
import { type MqttLink, type MqttMessage, openMqttLink } from '../links/mqtt/link.ts';
import type { MqttProfile, Rated } from '../profiles/profile.ts';
import { type DeviceConnection, textOf } from './connection.ts';
import type { Driver, DriverEvents } from './driver.ts';

export type MqttDriverDeps = { clock: Clock; resolve(host: string): Promise<string>; firstReadingMs?: number };

const maxRawTopics = 200;

/** Reads a device that publishes its measurements through a broker. */
export function createMqttDriver(connection: DeviceConnection, profile: MqttProfile, deps: MqttDriverDeps): Driver {
  const { clock, firstReadingMs = 20_000 } = deps;
  const listener = profile.listen();
  const measuredAts = new Map<DerKind, number>();
  const lastByTopic = new Map<string, { at: number; payload: string }>();
  let link: MqttLink | undefined;
  let silence: NodeJS.Timeout | undefined;
  let isClosed = false;
  let heardAt = Number.NEGATIVE_INFINITY; // on the monotonic clock
  let rated = '';
  const first = Promise.withResolvers<void>();
  const named = Promise.withResolvers<void>();
  for (const { promise } of [first, named]) promise.catch(() => {}); // awaited once the link is open

  return {
    async open(events) {
      const host = String(connection.broker_host);
      link = await openMqttLink({
        host: await deps.resolve(host),
        port: Number(connection.broker_port),
        username: textOf(connection.username),
        password: textOf(connection.password),
        clientId: textOf(connection.client_id),
        topics: profile.subscribe,
        clock,
        onMessage: (message) => {
          if (take(message, events)) first.resolve();
          if (listener.serial() !== undefined) named.resolve();
        },
        onLost: events.onLost,
      });
      try {
        await within(firstReadingMs, first.promise, () => {
          throw new LinkError(`${host} is a broker, but no ${profile.display_name} publishes its power there.`);
        });
        // A device added without its serial number would get another identity later.
        if (profile.serialWithinMs !== undefined) await within(profile.serialWithinMs, named.promise);
      } finally {
        if (isClosed) await link.close(); // closed before the link was open
      }
      watch(events);
      const serial = listener.serial();
      return { ...(serial && { serial }), make: profile.make, ders: [...measuredAts.keys()], ...listener.rated() };
    },
    raw() {
      if (lastByTopic.size === 0) return undefined;
      const ts = Math.max(...[...lastByTopic.values()].map(({ at }) => at));
      return { ts, topics: Object.fromEntries([...lastByTopic].map(([topic, { payload }]) => [topic, payload])) };
    },
    async close() {
      isClosed = true;
      const closed = new LinkError('The connection was closed while it was being opened.');
      for (const { reject } of [first, named]) reject(closed);
      clearInterval(silence);
      await link?.close();
    },
  };

  /** Returns true for a new measurement. */
  function take(message: MqttMessage, events: DriverEvents): boolean {
    const { topic, payload, at } = message;
    if (lastByTopic.size < maxRawTopics || lastByTopic.has(topic)) {
      lastByTopic.set(topic, { at, payload: Buffer.from(payload).toString('utf8') });
    }
    if (!listener.handle(message)) return false;
    const values = listener.read(at) ?? {};
    let isNew = false;
    for (const kind of derKinds) {
      const measuredAt = values[kind] && listener.at(kind, at);
      if (measuredAt === undefined || measuredAt === measuredAts.get(kind)) continue;
      measuredAts.set(kind, measuredAt);
      events.onHarvest({ at: measuredAt, tookMs: 0, values: { [kind]: values[kind] }, ...newlyRated() });
      isNew = true;
    }
    if (isNew) heardAt = performance.now();
    return isNew;
  }

  /** Returns the ratings when they changed; devices publish them less often than values. */
  function newlyRated(): { rated?: Rated } {
    const current = listener.rated();
    const isNew = rated !== JSON.stringify(current);
    rated = JSON.stringify(current);
    return isNew ? { rated: current } : {};
  }

  function watch(events: DriverEvents): void {
    silence = setInterval(() => {
      const isHeard = performance.now() - heardAt <= profile.staleAfterMs; // independent of the time of day, which may have been set
      if (isHeard || listener.read(clock.now())) return;
      events.onLost(new LinkError(`The device has published nothing new for ${profile.staleAfterMs / 1000} s.`));
    }, 1000).unref();
  }
}
