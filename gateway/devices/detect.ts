import type { detectDevice } from '#contract/gateway/devices.ts';
import { Problem } from '#contract/problem.ts';
import type { ReplyOf, RequestOf } from '#contract/route.ts';
import type { Probes } from '../access/probes.ts';
import { LineInUse, type ModbusBuses, type UnitHold } from '../links/modbus/buses.ts';
import { LinkError, ModbusException } from '../links/modbus/unit.ts';
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
    let silence: LinkError | ModbusException | undefined;
    for (const unit of unit_id === undefined ? unitIds : [unit_id]) {
      let hold: UnitHold | undefined;
      try {
        hold = buses.acquire({ host, port }, unit);
        const found = await detectProfiles(hold.unit.read, hold.unit.identify);
        candidates.push(...found.map((candidate) => ({ ...candidate, unit_id: unit })));
      } catch (error) {
        if (error instanceof LineInUse) throw new Problem('conflict', error.message, {}, { cause: error });
        // An exception is what a device or an adapter says of a unit that is not there.
        if (!(error instanceof LinkError || error instanceof ModbusException)) throw error;
        silence = error;
      } finally {
        await hold?.release();
      }
      if (candidates.some(({ confidence }) => confidence === 'high')) break;
    }
    if (candidates.length === 0 && silence) {
      throw new Problem('device_unreachable', silence.message, {}, { cause: silence });
    }
    return { ip, port, candidates: candidates.toSorted((one, other) => rank[one.confidence] - rank[other.confidence]) };
  }
}
