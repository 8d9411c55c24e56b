import { setTimeout as sleep } from 'node:timers/promises';
import { LinkError } from '../links/link-error.ts';
import { ModbusException, type ModbusUnit } from '../links/modbus/unit.ts';
import type { Facts, ModbusControl, Part, Setpoint } from '../profiles/control/control-profile.ts';
import { isWritten, readBacksOf, requestsOf, type Write, type WriteRequest } from '../profiles/control/write.ts';
import { type Hand, NotObeyed, releaseEach } from './hand.ts';

type Send = (request: WriteRequest, sure: readonly number[]) => Promise<boolean>;

const patience = 3;

/** The device says that it has no such register, or none that can be used so. */
const isAbsent = (error: unknown): boolean => error instanceof ModbusException && error.code <= 2;

/** Controls a Modbus device by writing registers and reading them back. */
export function createModbusHand(control: ModbusControl, unit: ModbusUnit, close: () => Promise<void>): Hand {
  const { writeGapMs = 0, hasUnreliableWriteReplies: answersOddly = false } = control;

  async function send({ address, words, usesFunction16: isMany }: WriteRequest): Promise<boolean> {
    try {
      await (isMany ? unit.writeMany(address, words) : unit.write(address, words[0]!));
    } catch (error) {
      if (!(answersOddly && error instanceof LinkError)) throw error;
    }
    return true;
  }

  /**
   * False when the device says again and again that it has no such register: then it holds nothing there. Of one that
   * it is `sure` to have it says so only while it starts.
   */
  async function sendIfPresent(request: WriteRequest, sure: readonly number[]): Promise<boolean> {
    for (let attempt = 0; attempt < patience; attempt++) {
      try {
        return await send(request);
      } catch (error) {
        if (!isAbsent(error) || sure.includes(request.address)) throw error;
      }
    }
    return false;
  }

  async function run(writes: readonly Write[], deliver: Send = send, sure: readonly number[] = []): Promise<number[]> {
    const absent = new Set<number>();
    for (const [index, request] of requestsOf(writes).entries()) {
      if (index > 0 && writeGapMs > 0) await sleep(writeGapMs);
      if (await deliver(request, sure)) continue;
      for (const offset of request.words.keys()) absent.add(request.address + offset);
    }
    return verify(
      writes.filter(({ address }) => !absent.has(address)),
      sure,
    );
  }

  /** The registers that were seen to hold what was written. */
  async function verify(writes: readonly Write[], sure: readonly number[]): Promise<number[]> {
    const seen: number[] = [];
    for (const { address, count, writes: expected } of readBacksOf(writes)) {
      const isSure = expected.every((each) => sure.includes(each.address));
      const words = await readBack(address, count, isSure);
      if (!words) continue;
      seen.push(...expected.map((each) => each.address));
      const wrong = expected.find((each) => !isWritten(each, words.slice(each.address - address)));
      if (!wrong) continue;
      const found = words.slice(wrong.address - address).slice(0, 2);
      throw new NotObeyed(`Register ${wrong.address} holds ${found.join(' ')} in place of ${wrong.value}.`);
    }
    return seen;
  }

  /** Undefined when the device has taken the write and lets nobody read it. */
  async function readBack(address: number, count: number, isSure: boolean): Promise<readonly number[] | undefined> {
    try {
      return await unit.readUrgently('holding', address, count);
    } catch (error) {
      if (isAbsent(error) && !isSure) return undefined;
      throw error;
    }
  }

  async function setting(part: Part, asked: Setpoint, facts: Facts): Promise<readonly Write[]> {
    const sensed = await control.sense?.(unit.readUrgently, facts);
    return control[part]!.set(asked, sensed ? { ...facts, ...sensed } : facts);
  }

  return {
    learn: async () => (await control.learn?.(unit.readUrgently)) ?? {},
    take: (facts) => run(control.acquire?.(facts) ?? []),
    set: async (part, asked, facts) => run(await setting(part, asked, facts)),
    async rehearse(part, asked, facts) {
      if (part === 'battery') control.acquire?.(facts);
      if (asked) await setting(part, asked, facts);
      control[part]!.release(facts);
    },
    release: (parts, facts, written) =>
      releaseEach(parts, written, async (part) => {
        await run(control[part]?.release(facts) ?? [], sendIfPresent, written.registers);
      }),
    close,
  };
}
