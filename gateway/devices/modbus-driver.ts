import type { Clock } from '#lib/clock.ts';
import { asError } from '#lib/error-code.ts';
import { hostPort, LinkError } from '../links/link-error.ts';
import type { ModbusBuses, ModbusEndpoint, UnitLease } from '../links/modbus/buses.ts';
import * as modbus from '../links/modbus/unit.ts';
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
  const blocks = { input: new Map<number, readonly number[]>(), holding: new Map<number, readonly number[]>() };
  let hold: UnitLease | undefined;
  let readAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let isClosed = false;

  const readWith =
    (unit: modbus.ModbusUnit): modbus.ReadRegisters =>
    async (table, address, count) => {
      const words = await unit.read(table, address, count);
      blocks[table].set(address, words);
      return words;
    };

  async function harvest(device: RecognisedDevice, events: DriverEvents): Promise<void> {
    const at = clock.now();
    const started = performance.now();
    const values = await device.harvest();
    if (Object.keys(values).length === 0) throw new LinkError('The device answers, but reports no values.');
    readAt = at;
    failures = 0;
    if (!isClosed) events.onHarvest({ at, tookMs: performance.now() - started, values });
  }

  /** Harvests again, an interval after the harvest that began at `started`. */
  function goOn(device: RecognisedDevice, events: DriverEvents, started: number): void {
    if (isClosed) return;
    const pauseMs = Math.max(harvestMs - (performance.now() - started), minPauseMs);
    timer = setTimeout(() => void harvestAndGoOn(device, events), pauseMs).unref();
  }

  async function harvestAndGoOn(device: RecognisedDevice, events: DriverEvents): Promise<void> {
    const started = performance.now();
    try {
      await harvest(device, events);
    } catch (error) {
      if (!isClosed && ++failures >= failuresUntilLost) return events.onLost(asError(error));
    }
    goOn(device, events, started);
  }

  return {
    get unit() {
      return hold?.unit;
    },
    async open(events) {
      const endpoint = await resolveModbusEndpoint(connection, deps.resolve);
      hold = buses.acquire(endpoint, unitId, { connectDelayMs: profile.connectDelayMs ?? 0 });
      const device = await profile.recognise(readWith(hold.unit)).catch((error: unknown) => {
        throw isUnitAbsent(error) ? new LinkError(describeAbsentUnit(unitId, endpoint), { cause: error }) : error;
      });
      const started = performance.now();
      await harvest(device, events);
      goOn(device, events, started);
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
            images: (['input', 'holding'] as const)
              .filter((table) => blocks[table].size > 0)
              .map((table) => ({
                unit_id: unitId,
                function_code: modbus.functionCodeOf[table],
                blocks: Object.fromEntries(blocks[table]),
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
  error instanceof modbus.Unanswered || (error instanceof modbus.ModbusException && behindGateway.includes(error.code));

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
