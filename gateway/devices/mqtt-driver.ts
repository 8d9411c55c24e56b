import { type DerKind, derKinds } from '#contract/gateway/reading.ts';
import type { Clock } from '#lib/clock.ts';
import { LinkError } from '../links/link-error.ts';
import type { MqttMessage } from '../links/mqtt/link.ts';
import { type MqttLink, openMqttLink } from '../links/mqtt/link.ts';
import type { MqttProfile } from '../profiles/profile.ts';
import type { DeviceConnection } from './connection.ts';
import type { Driver, DriverEvents, Rated } from './driver.ts';

export type MqttDriverDeps = { clock: Clock; resolve(host: string): Promise<string>; firstReadingMs?: number };

const maxRawTopics = 200;

/** Reads a device that publishes its measurements through a broker. */
export function createMqttDriver(connection: DeviceConnection, profile: MqttProfile, deps: MqttDriverDeps): Driver {
  const { clock, firstReadingMs = 20_000 } = deps;
  const listener = profile.listen();
  const toldAt = new Map<DerKind, number>();
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
        username: connection.username as string | undefined,
        password: connection.password as string | undefined,
        clientId: connection.client_id as string | undefined,
        topics: profile.subscribe,
        clock,
        onMessage: (message) => {
          if (take(message, events)) first.resolve();
          if (listener.serial() !== undefined) named.resolve();
        },
        onState: (isConnected, error) => {
          if (!isConnected) events.onLost(error ?? new LinkError(`The broker at ${host} is gone.`));
        },
      });
      const late = setTimeout(
        () => first.reject(new LinkError(`${host} is a broker, but no ${profile.display_name} tells its power there.`)),
        firstReadingMs,
      );
      try {
        await first.promise;
        await serialTold();
      } finally {
        clearTimeout(late);
        if (isClosed) await link.close(); // closed before the link was open
      }
      watch(events);
      const serial = listener.serial();
      return { ...(serial && { serial }), make: profile.make, ders: [...toldAt.keys()], ...listener.rated() };
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

  /** Waits for the serial number: a device added without it would get another identity later. */
  async function serialTold(): Promise<void> {
    if (profile.serialWithinMs === undefined) return;
    const enough = setTimeout(named.resolve, profile.serialWithinMs);
    await named.promise.finally(() => clearTimeout(enough));
  }

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
      if (measuredAt === undefined || measuredAt === toldAt.get(kind)) continue;
      toldAt.set(kind, measuredAt);
      events.onHarvest({ at: measuredAt, tookMs: 0, values: { [kind]: values[kind] }, ...newlyRated() });
      isNew = true;
    }
    if (isNew) heardAt = performance.now();
    return isNew;
  }

  /** Returns the ratings when they changed; devices publish them less often than values. */
  function newlyRated(): { rated?: Rated } {
    const told = listener.rated();
    const isNew = rated !== JSON.stringify(told);
    rated = JSON.stringify(told);
    return isNew ? { rated: told } : {};
  }

  function watch(events: DriverEvents): void {
    silence = setInterval(() => {
      const isHeard = performance.now() - heardAt <= profile.staleAfterMs; // independent of the time of day, which may have been set
      if (isHeard || listener.read(clock.now())) return;
      events.onLost(new LinkError(`The device has told nothing new for ${profile.staleAfterMs / 1000} s.`));
    }, 1000).unref();
  }
}
