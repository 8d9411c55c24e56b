import { setTimeout as sleep } from 'node:timers/promises';
import * as contract from '#contract/gateway/registers.ts';
import { fieldProblem, Problem, type ProblemCode } from '#contract/problem.ts';
import { Answer } from '#lib/http/mount.ts';
import type { LocalMount } from '../access/door.ts';
import type { Probes } from '../access/probes.ts';
import type { Targets } from '../access/targets.ts';
import { orProblemOf } from '../devices/device-problem.ts';
import type { Devices } from '../devices/devices.ts';
import { LinkError } from '../links/link-error.ts';
import { LineInUse, type ModbusBuses, type UnitLease } from '../links/modbus/buses.ts';
import { LinkBusy, ModbusException, type ModbusUnit } from '../links/modbus/unit.ts';
import { type RegisterWrite, typedValue, wordOf, wordsOf, writeList } from './register-values.ts';

const settleMs = 50; // between two writes of a list (local API, batch register write)

/** Serves the raw registers of the Modbus devices of this gateway. */
export function registerRoutes(mount: LocalMount, devices: Devices): void {
  mount(contract.readRegister, async ({ params, query }) => {
    const count = countOf(query, params.address);
    const unit = unitOf(devices, params.sn);
    const table = query.function_code === 3 ? 'holding' : 'input';
    const words = await unit.readUrgently(table, params.address, count).catch(orFailed('device_failed'));
    const { address } = params;
    if (query.type === undefined && query.size !== undefined) return { address, count, values: words.map(hex) };
    const { type = 'u16', endianness = 'little', scale_factor = 1 } = query;
    return { address, value: typedValue(words, type, endianness, scale_factor), type, registers: count };
  });

  mount(contract.writeRegister, async ({ params, body }) => {
    const unit = unitOf(devices, params.sn);
    await unit.write(params.address, wordOf('value', body.value)).catch(orFailed('device_failed'));
    return { message: 'Register written.', address: params.address, value: body.value };
  });

  mount(contract.writeRegisters, async ({ params, body, bodyText }) => {
    const isLater = 'registers' in body;
    const writes = writeList(isLater ? body.registers : body, bodyText);
    const errors = await writeAll(unitOf(devices, params.sn), writes);
    const failed = errors.length;
    const written = writes.length - failed;
    if (isLater) {
      const counts = { written, failed, errors };
      if (failed === 0) return counts;
      const message = `${failed} of ${writes.length} registers were not written.`;
      return new Answer(500, { status: 'error' as const, error: 'device_failed', message, ...counts });
    }
    const answer = { message: `${written} of ${writes.length} registers written.`, success: written, failed };
    return failed === 0 ? answer : new Answer(207, answer);
  });

  mount(contract.writeLegacy, async ({ params, body }) => {
    const unit = unitOf(devices, params.sn);
    // The document gives a failed write of this route the status of an unknown device.
    await unit.write(body.addr, wordOf('value', body.value)).catch(orFailed('not_found'));
    return { message: 'Register written.' };
  });
}

type CountQuery = { type?: contract.RegisterValueType; size?: number; scale_factor?: number };

function countOf({ type, size, scale_factor }: CountQuery, address: number): number {
  if (type === 'str' && size === undefined) throw fieldProblem('invalid_request', 'query.size', 'is required for str');
  if (type === 'str' && scale_factor !== undefined) {
    throw fieldProblem('invalid_request', 'query.scale_factor', 'has no meaning for str');
  }
  const least = wordsOf(type);
  const count = size ?? least;
  if (count < least) throw fieldProblem('invalid_request', 'query.size', `must be at least ${least} for ${type}`);
  if (address + count > 0x1_0000) throw new Problem('invalid_request', 'The registers end at 65535.');
  return count;
}

function unitOf(devices: Devices, sn: string): ModbusUnit {
  const device = devices.find(sn);
  if (!device.kept.connection.type.startsWith('modbus')) {
    throw new Problem('invalid_request', `${sn} is not a Modbus device; it has no registers.`);
  }
  if (!device.unit) throw new Problem('device_unreachable', `${sn} is not connected.`);
  return device.unit;
}

const hex = (word: number): string => `0x${word.toString(16).toUpperCase().padStart(4, '0')}`;

async function writeAll(unit: ModbusUnit, writes: readonly RegisterWrite[]) {
  const errors: { address: number; message: string }[] = [];
  for (const [index, { address, value }] of writes.entries()) {
    if (index > 0) await sleep(settleMs);
    try {
      await unit.write(address, value);
    } catch (error) {
      if (error instanceof LinkBusy && index === 0) orFailed('device_failed')(error);
      if (!(error instanceof ModbusException || error instanceof LinkError)) throw error;
      errors.push({ address, message: error.message });
    }
  }
  return errors;
}

const orFailed = (code: ProblemCode) =>
  orProblemOf([LinkBusy, 'device_busy'], [LinkError, code], [ModbusException, code]);

type ReadAnywhereDeps = { buses: ModbusBuses; targets: Targets; probes: Probes };

/** Serves registers of any device in the network: connects, reads, disconnects. */
export function readAnywhereRoute(mount: LocalMount, { buses, targets, probes }: ReadAnywhereDeps): void {
  mount(contract.readModbus, ({ body }) => {
    const { ip, port, unit_id, register, count = 1, register_type = 'holding' } = body;
    if (register + count > 0x1_0000) throw new Problem('invalid_request', 'The registers end at 65535.');
    return probes.run(async () => {
      let hold: UnitLease | undefined;
      try {
        hold = buses.acquire({ host: await targets.resolve(ip), port }, unit_id);
        const values = await hold.unit.readUrgently(register_type, register, count);
        return { ip, port, unit_id, register, register_type, values: [...values] };
      } catch (error) {
        if (!isUpstream(error)) throw error;
        throw new Problem('upstream_failed', error.message, {}, { cause: error });
      } finally {
        await hold?.release();
      }
    });
  });
}

const isUpstream = (error: unknown): error is Error =>
  error instanceof LinkError ||
  error instanceof ModbusException ||
  error instanceof LineInUse ||
  (error instanceof Problem && error.code === 'device_unreachable'); // a name that cannot be looked up
