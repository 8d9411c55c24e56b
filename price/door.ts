import type { Clock } from '#lib/clock.ts';
import type { Door } from '#lib/http/mount.ts';
import { addressKey, createBudget } from '#lib/rate-limit.ts';

/** Anybody may ask, and nobody too often. */
export function createPriceDoor(limit: number, clock: Clock): Door<object> {
  const spend = createBudget('ordinary', limit, clock);
  return {
    unknownFields: 'refuse',
    admit({ access, method, path }) {
      if (access !== 'public') throw new Error(`${method} ${path}: the price service knows nobody.`);
      return (request, reply) => {
        spend(addressKey(request.ip), reply);
        return undefined;
      };
    },
    serve: (_route, _request, handle) => handle({}),
  };
}
