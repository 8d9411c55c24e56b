import { setTimeout as sleep } from 'node:timers/promises';
import type { ModbusUnit } from '../links/modbus/unit.ts';
import { LinkError, ModbusException } from '../links/modbus/unit.ts';
import type { ModbusControl } from '../profiles/control/modbus-control.ts';
import { isHeld, requestsOf, stretchesOf, type Write } from '../profiles/control/write.ts';
import { type Hand, NotObeyed } from './hand.ts';

/** Controls a Modbus device by writing registers and reading them back. */
export function createModbusHand(control: ModbusControl, unit: ModbusUnit, close: () => Promise<void>): Hand {
  const { writeGapMs = 0, answersOddly = false } = control;

  async function write(writes: readonly Write[]): Promise<void> {
    for (const [index, { address, words, isMany }] of requestsOf(writes).entries()) {
      if (index > 0 && writeGapMs > 0) await sleep(writeGapMs);
      try {
        await (isMany ? unit.writeMany(address, words) : unit.write(address, words[0]!));
      } catch (error) {
        if (!(answersOddly && error instanceof LinkError)) throw error;
      }
    }
  }

  async function verify(writes: readonly Write[]): Promise<void> {
    for (const { address, count, writes: expected } of stretchesOf(writes)) {
      const words = await readBack(address, count);
      const wrong = words && expected.find((each) => !isHeld(each, words.slice(each.address - address)));
      if (!wrong) continue;
      const found = words.slice(wrong.address - address).slice(0, 2);
      throw new NotObeyed(`Register ${wrong.address} holds ${found.join(' ')} in place of ${wrong.value}.`);
    }
  }

  /** Undefined when the device has taken the write and lets nobody read it. */
  async function readBack(address: number, count: number): Promise<readonly number[] | undefined> {
    try {
      return await unit.readUrgently('holding', address, count);
    } catch (error) {
      if (error instanceof ModbusException && error.code <= 2) return undefined;
      throw error;
    }
  }

  async function run(writes: readonly Write[]): Promise<void> {
    await write(writes);
    await verify(writes);
  }

  return {
    learn: async () => (await control.learn?.(unit.readUrgently)) ?? {},
    take: (facts) => run(control.take?.(facts) ?? []),
    async set(part, asked, facts) {
      const sensed = await control.sense?.(unit.readUrgently, facts);
      const own = control[part]!.set(asked, sensed ? { ...facts, ...sensed } : facts);
      await run(own);
    },
    release: (parts, facts) => run(parts.flatMap((part) => control[part]?.release(facts) ?? [])),
    close,
  };
}
