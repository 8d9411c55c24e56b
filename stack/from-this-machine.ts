import { Problem } from '#contract/problem.ts';
import type { Door } from '#lib/http/mount.ts';

const loopback = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;
const ourNames = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** The same door, for callers on this machine who call it by its own name: a foreign name may have been bound to it. */
export function fromThisMachine<Extra>(door: Door<Extra>): Door<Extra> {
  return {
    ...door,
    admit(route) {
      const admit = door.admit(route);
      return (request, reply) => {
        const { remoteAddress = '' } = request.socket;
        const isForwarded = request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined;
        if (isForwarded || !loopback.test(remoteAddress) || !ourNames.test(request.headers.host ?? '')) {
          throw new Problem('forbidden', 'Only on the machine that plays the simulation, at http://localhost.');
        }
        return admit(request, reply);
      };
    },
  };
}
