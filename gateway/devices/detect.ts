import type { detectDevice } from '#contract/gateway/devices.ts';
import { Problem } from '#contract/problem.ts';
import type { ReplyOf, RequestOf } from '#contract/route.ts';
import type { Probes } from '../access/probes.ts';
import { LinkError, NotConnected, Refused } from '../links/link-error.ts';
import { LineInUse, type ModbusBuses, type ModbusEndpoint, type UnitLease } from '../links/modbus/buses.ts';
import { ModbusException } from '../links/modbus/unit.ts';
import { detectProfiles, maxSilences, usualPorts, usualUnitIds } from '../profiles/detect.ts';
import { describeAbsentUnit, endpointName, isUnitAbsent } from './modbus-driver.ts';

type Detected = ReplyOf<typeof detectDevice>;

export type Detect = ReturnType<typeof createDetect>;

type DetectDeps = { buses: ModbusBuses; resolve(host: string): Promise<string>; probes: Probes };

const rank = { high: 0, medium: 1, low: 2 };

export function createDetect({ buses, resolve, probes }: DetectDeps) {
  /** Tries the usual ports and unit ids of an address in turn, until a profile matches with high confidence. */
  const at = ({ ip, port, unit_id }: RequestOf<typeof detectDevice>['body']): Promise<Detected> =>
    probes.run(async () => {
      const host = await resolve(ip);
      if (port !== undefined) return { ip, port, candidates: await lookAt({ host, port }, unit_id) };
      for (const usual of usualPorts) {
        try {
          return { ip, port: usual, candidates: await lookAt({ host, port: usual }, unit_id) };
        } catch (error) {
          if (!(error instanceof Problem && error.cause instanceof Refused)) throw error;
        }
      }
      const sentence = `Nothing listens at ${ip} on a port where such devices do (${usualPorts.join(', ')}).`;
      throw new Problem('device_unreachable', `${sentence} Is Modbus TCP switched on in the device?`);
    });

  async function lookAt(endpoint: ModbusEndpoint, unit_id?: number) {
    const units = unit_id === undefined ? usualUnitIds : [unit_id];
    const candidates: Detected['candidates'] = [];
    let hasAnswered = false;
    let hasSpoken = false; // something answered, if only with an exception
    let failure: LinkError | ModbusException | undefined;
    for (const unit of units) {
      let hold: UnitLease | undefined;
      try {
        hold = buses.acquire(endpoint, unit);
        // Without any answer so far, further units get a single attempt.
        const patience = hasSpoken || unit === units[0] ? maxSilences : 0;
        const found = await detectProfiles(hold.unit.read, hold.unit.identify, patience);
        candidates.push(...found.map((candidate) => ({ ...candidate, unit_id: unit })));
        hasAnswered = hasSpoken = true;
      } catch (error) {
        if (error instanceof LineInUse) throw new Problem('conflict', error.message, {}, { cause: error });
        if (!(error instanceof LinkError || error instanceof ModbusException)) throw error;
        hasSpoken ||= error instanceof ModbusException;
        if (!failure || isUnitAbsent(failure)) failure = error;
        if (error instanceof NotConnected && unit === units[0]) break; // the other units share this connection
      } finally {
        await hold?.release();
      }
      if (candidates.some(({ confidence }) => confidence === 'high')) break;
    }
    if (!hasAnswered && failure) {
      throw new Problem('device_unreachable', explain(failure, endpoint, unit_id), {}, { cause: failure });
    }
    return candidates.toSorted((one, other) => rank[one.confidence] - rank[other.confidence]);
  }

  return { at, lookAt };
}

function explain(failure: Error, endpoint: ModbusEndpoint, unitId: number | undefined): string {
  if (!isUnitAbsent(failure)) return failure.message;
  if (unitId !== undefined) return describeAbsentUnit(unitId, endpoint);
  return (
    `None of the usual unit ids (${usualUnitIds.join(', ')}) answers at ${endpointName(endpoint)}. ` +
    'Does Modbus TCP listen there, and which unit id does the device have?'
  );
}
