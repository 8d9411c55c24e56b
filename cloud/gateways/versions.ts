import type { Clock } from '#lib/clock.ts';
import { isObject, parseJson } from '#lib/json.ts';
import type { Logger } from '#lib/log.ts';
import { RecentMap } from '#lib/recent-map.ts';
import { saveGatewayVersion } from '../store/gateways.ts';
import type { Store } from '../store/store.ts';

type Deps = { store: Pick<Store, 'write'>; clock: Clock; log: Logger };

const maxRemembered = 200_000;
const leastMs = 10_000; // between two writes for a gateway, whatever it sends

/** Saves the versions that gateways report with their state. */
export function createGatewayVersions({ store, clock, log }: Deps) {
  const saved = new RecentMap<{ version: string; at: number }>(maxRemembered); // by gateway
  return {
    /** Reads the state message of a gateway. */
    state(serial: string, payload: Uint8Array): void {
      const version = versionIn(payload);
      const known = saved.get(serial);
      const at = clock.now();
      if (!version || known?.version === version || (known && Math.abs(at - known.at) < leastMs)) return;
      saved.set(serial, { version, at });
      store
        .write(({ db }) => saveGatewayVersion(db, serial, version))
        .catch((err: unknown) => {
          saved.delete(serial);
          log.warn({ err, serial }, 'version of a gateway not saved');
        });
    },
  };
}

function versionIn(payload: Uint8Array): string | undefined {
  try {
    const state: unknown = parseJson(payload);
    const version = isObject(state) ? state.version : undefined;
    return typeof version === 'string' && parseVersion(version) ? version : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the numbers of a version such as 1.2.3; undefined if it is something else. */
function parseVersion(text: string): number[] | undefined {
  const [, ...numbers] = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:[-+][\w.+-]{1,32})?$/.exec(text) ?? [];
  return numbers.length > 0 ? numbers.map(Number) : undefined;
}

/** Returns whether a version is older than another, without regard to what follows its numbers. */
export function isOlder(version: string, other: string): boolean {
  const [one, two] = [parseVersion(version), parseVersion(other)];
  const differing = one?.findIndex((number, i) => number !== two?.[i]) ?? -1;
  return one !== undefined && two !== undefined && differing >= 0 && one[differing]! < two[differing]!;
}
