import type { detectDevice } from '#contract/gateway/devices.ts';
import { Problem } from '#contract/problem.ts';
import type { ReplyOf, RequestOf } from '#contract/route.ts';
import type { Probes } from '../access/probes.ts';
import type { ModbusBuses } from '../links/modbus/buses.ts';
import { LinkError } from '../links/modbus/unit.ts';
import { detectProfiles } from '../profiles/detect.ts';

export type Detect = (request: RequestOf<typeof detectDevice>['body']) => Promise<ReplyOf<typeof detectDevice>>;

type DetectDeps = { buses: ModbusBuses; resolve(host: string): Promise<string>; probes: Probes };

const unitIds = [1, 0, 247, 3, 71, 85, 100, 2, 126, 200, 240]; // those that devices come with, the usual first

const rank = { high: 0, medium: 1, low: 2 };

/** Looks at an address for what answers there: one unit id after the other, until one is surely recognised. */
export function createDetect({ buses, resolve, probes }: DetectDeps): Detect {
  return ({ ip, port = 502, unit_id }) => probes.run(() => detect(ip, port, unit_id));

  async function detect(ip: string, port: number, unit_id: number | undefined) {
    const host = await resolve(ip);
    const candidates: Awaited<ReturnType<Detect>>['candidates'] = [];
    let silence: LinkError | undefined;
    for (const unit of unit_id === undefined ? unitIds : [unit_id]) {
      const lease = buses.acquire({ host, port }, unit);
      try {
        const found = await detectProfiles(lease.unit.read, lease.unit.identify);
        candidates.push(...found.map((candidate) => ({ ...candidate, unit_id: unit })));
      } catch (error) {
        if (!(error instanceof LinkError)) throw error;
        silence = error;
      } finally {
        await lease.release();
      }
      if (candidates.some(({ confidence }) => confidence === 'high')) break;
    }
    if (candidates.length === 0 && silence) {
      throw new Problem('device_unreachable', silence.message, {}, { cause: silence });
    }
    return { ip, port, candidates: candidates.toSorted((one, other) => rank[one.confidence] - rank[other.confidence]) };
  }
}
