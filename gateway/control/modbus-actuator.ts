import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '#lib/clock.ts';
import type { DeviceAddress } from '../devices/resolve-address.ts';
import { LinkError } from '../links/link-error.ts';
import type { ModbusBuses } from '../links/modbus/buses.ts';
import { ModbusException, type ModbusUnit } from '../links/modbus/unit.ts';
import type { Facts, ModbusControl, Part, Setpoint } from '../profiles/control/control-profile.ts';
import type { ControlProfile } from '../profiles/control/index.ts';
import { isWritten, readBacksOf, requestsOf, type Write, type WriteRequest } from '../profiles/control/write.ts';
import { type Actuator, NotObeyed, releaseEach, sequenceOf } from './actuator.ts';

/** Returns false when the device has no such register. `confirmed` are the registers it is known to have. */
type Send = (request: WriteRequest, confirmed: readonly number[]) => Promise<boolean>;

const maxAttempts = 3;

/** The device reports that it has no such register, or that the function is not allowed on it. */
const isAbsent = (error: unknown): boolean => error instanceof ModbusException && error.code <= 2;

/** Controls a Modbus device by writing registers and reading them back. */
function createModbusActuator(control: ModbusControl, unit: ModbusUnit, close: () => Promise<void>): Actuator {
  const { writeGapMs = 0, hasUnreliableWriteReplies = false } = control;

  async function send({ address, words, usesFunction16 }: WriteRequest): Promise<boolean> {
    const [first] = words;
    try {
      await (usesFunction16 || first === undefined ? unit.writeMany(address, words) : unit.write(address, first));
    } catch (error) {
      if (!(hasUnreliableWriteReplies && error instanceof LinkError)) throw error;
    }
    return true;
  }

  /** Returns false for a missing register. A device reports a `confirmed` one as missing only while it starts. */
  async function sendIfPresent(request: WriteRequest, confirmed: readonly number[]): Promise<boolean> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      try {
        return await send(request);
      } catch (error) {
        if (!isAbsent(error) || confirmed.includes(request.address)) throw error;
      }
    }
    return false;
  }

  async function run(
    writes: readonly Write[],
    deliver: Send = send,
    confirmed: readonly number[] = [],
  ): Promise<number[]> {
    const absent = new Set<number>();
    for (const [index, request] of requestsOf(writes).entries()) {
      if (index > 0 && writeGapMs > 0) await sleep(writeGapMs);
      if (await deliver(request, confirmed)) continue;
      for (const offset of request.words.keys()) absent.add(request.address + offset);
    }
    return verify(
      writes.filter(({ address }) => !absent.has(address)),
      confirmed,
    );
  }

  /** Returns the registers that hold the written value. */
  async function verify(writes: readonly Write[], confirmed: readonly number[]): Promise<number[]> {
    const seen: number[] = [];
    for (const { address, count, writes: expected } of readBacksOf(writes)) {
      const isConfirmed = expected.every((each) => confirmed.includes(each.address));
      const words = await readBack(address, count, isConfirmed);
      if (!words) continue;
      seen.push(...expected.map((each) => each.address));
      const wrong = expected.find((each) => !isWritten(each, words.slice(each.address - address)));
      if (!wrong) continue;
      const found = words.slice(wrong.address - address).slice(0, 2);
      throw new NotObeyed(`Register ${wrong.address} holds ${found.join(' ')} instead of ${wrong.value}.`);
    }
    return seen;
  }

  /** Returns undefined when the register is write-only. */
  async function readBack(address: number, count: number, isConfirmed: boolean) {
    try {
      return await unit.readUrgently('holding', address, count);
    } catch (error) {
      if (isAbsent(error) && !isConfirmed) return undefined;
      throw error;
    }
  }

  async function writesFor(part: Part, setpoint: Setpoint, facts: Facts): Promise<readonly Write[]> {
    const sensed = await control.sense?.(unit.readUrgently, facts);
    return sequenceOf(control, part).set(setpoint, sensed ? { ...facts, ...sensed } : facts);
  }

  return {
    learn: async () => (await control.learn?.(unit.readUrgently)) ?? {},
    take: (facts) => run(control.acquire?.(facts) ?? []),
    set: async (part, setpoint, facts) => run(await writesFor(part, setpoint, facts)),
    async dryRun(part, setpoint, facts) {
      if (part === 'battery') control.acquire?.(facts);
      if (setpoint) await writesFor(part, setpoint, facts);
      sequenceOf(control, part).release(facts);
    },
    release: (parts, facts, written) =>
      releaseEach(parts, written, async (part) => {
        await run(control[part]?.release(facts) ?? [], sendIfPresent, written.registers);
      }),
    close,
  };
}

export type OpenActuator = (control: ControlProfile, address: DeviceAddress) => Promise<Actuator>;

/** Opens actuators over Modbus and MQTT. A Modbus bus that is already in use is shared. */
export const createOpenActuator =
  (buses: ModbusBuses, clock: Clock): OpenActuator =>
  async (control, address) => {
    if (address.kind === 'mqtt') {
      if (!('subscribe' in control)) throw new Error(`${control.profile} is not controlled over MQTT.`);
      const { openMqttActuator } = await import('./mqtt-actuator.ts'); // most gateways have no such device
      return openMqttActuator(control, address, clock);
    }
    if ('subscribe' in control) throw new Error(`${control.profile} is not controlled over Modbus.`);
    const { endpoint, unitId, connectDelayMs } = address;
    const lease = buses.acquire(endpoint, unitId, { connectDelayMs });
    return createModbusActuator(control, lease.unit, lease.release);
  };
