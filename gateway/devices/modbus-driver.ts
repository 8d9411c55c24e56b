import type { Clock } from '#lib/clock.ts';
import { hostPort, LinkError } from '../links/link-error.ts';
import type { ModbusBuses, ModbusEndpoint, UnitLease } from '../links/modbus/buses.ts';
import {
  functionCodeOf,
  ModbusException,
  type ReadRegisters,
  type RegisterTable,
  Unanswered,
} from '../links/modbus/unit.ts';
import type { ModbusProfile, RecognisedDevice } from '../profiles/profile.ts';
import type { DeviceConnection } from './connection.ts';
import type { Driver, DriverEvents } from './driver.ts';
import { resolveModbusEndpoint } from './resolve-address.ts';

export type ModbusDriverDeps = {
  buses: ModbusBuses;
  clock: Clock;
  resolve(host: string): Promise<string>;
  harvestMs: number;
};

const minPauseMs = 100; // for a device that needs longer than its interval
const failuresUntilLost = 3;

/** Reads a device over Modbus periodically. */
export function createModbusDriver(
  connection: DeviceConnection,
  profile: ModbusProfile,
  deps: ModbusDriverDeps,
): Driver {
  const { buses, clock, harvestMs } = deps;
  const unitId = Number(connection.unit_id);
  const blocks = new Map<RegisterTable, Map<number, readonly number[]>>([
    ['input', new Map()],
    ['holding', new Map()],
  ]);
  let hold: UnitLease | undefined;
  let readAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let isClosed = false;

  const read: ReadRegisters = async (table, address, count) => {
    const words = await hold!.unit.read(table, address, count);
    blocks.get(table)!.set(address, words);
    return words;
  };

  async function harvest(device: RecognisedDevice, events: DriverEvents): Promise<void> {
    const at = clock.now();
    const started = performance.now();
    const values = await device.harvest();
    if (Object.keys(values).length === 0) throw new LinkError('The device answers, but has no value to tell.');
    readAt = at;
    failures = 0;
    if (!isClosed) events.onHarvest({ at, tookMs: performance.now() - started, values });
  }

  function goOn(device: RecognisedDevice, events: DriverEvents, tookMs: number): void {
    const pauseMs = Math.max(harvestMs - tookMs, minPauseMs);
    timer = setTimeout(() => {
      const started = performance.now();
      harvest(device, events).then(
        () => !isClosed && goOn(device, events, performance.now() - started),
        (error: Error) => {
          if (isClosed) return;
          if (++failures >= failuresUntilLost) events.onLost(error);
          else goOn(device, events, performance.now() - started);
        },
      );
    }, pauseMs).unref();
  }

  return {
    get unit() {
      return hold?.unit;
    },
    async open(events) {
      const endpoint = await resolveModbusEndpoint(connection, deps.resolve);
      hold = buses.acquire(endpoint, unitId, { connectDelayMs: profile.connectDelayMs ?? 0 });
      const device = await profile.recognise(read).catch((error: unknown) => {
        throw isUnitAbsent(error) ? new LinkError(describeAbsentUnit(unitId, endpoint), { cause: error }) : error;
      });
      const started = performance.now();
      await harvest(device, events);
      goOn(device, events, performance.now() - started);
      const { serial, harvest: _, certainty: __, ...said } = device;
      return { ...said, ...(serial && { serial }) };
    },
    /** Returns the input format of `ohmstead decode modbus`. */
    raw: () =>
      readAt === undefined
        ? undefined
        : {
            ts: readAt,
            unit_id: unitId,
            images: [...blocks]
              .filter(([, starts]) => starts.size > 0)
              .map(([table, starts]) => ({
                unit_id: unitId,
                function_code: functionCodeOf[table],
                blocks: Object.fromEntries(starts),
              })),
          },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await hold?.release();
    },
  };
}

const behindGateway = [10, 11]; // exceptions of a Modbus gateway for a unit that is absent

/** True when the connection works but no unit has this id. */
export const isUnitAbsent = (error: unknown): boolean =>
  error instanceof Unanswered || (error instanceof ModbusException && behindGateway.includes(error.code));

/** Explains an absent unit and what to check. */
export function describeAbsentUnit(unitId: number, endpoint: ModbusEndpoint): string {
  const advice =
    'host' in endpoint
      ? 'Is this its unit id, and is it awake? Detection tries the usual ones.'
      : 'Compare unit id, speed and parity with the settings of the device, and see that A and B are not swapped.';
  return `No unit ${unitId} answers at ${endpointName(endpoint)}. ${advice}`;
}

export const endpointName = (endpoint: ModbusEndpoint): string =>
  'host' in endpoint ? hostPort(endpoint.host, endpoint.port) : endpoint.line.port;
