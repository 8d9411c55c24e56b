import { undefinedIf } from '#lib/error-code.ts';
import { ModbusException, type ReadRegisters, type RegisterTable } from '../../links/modbus/unit.ts';

type RegisterRange = { table: RegisterTable; address: number; count: number };

/** Consecutive registers of one value, and where to find their content after reading. */
export type RegisterSlot = RegisterRange & {
  /** requested again at every reading, no matter how often it was refused */
  isMandatory: boolean;
  words: readonly number[] | undefined;
  /** index of the first register in `words` */
  offset: number;
};

export type PlanLimits = {
  /** maximum number of registers per request */
  maxBlock?: number;
  /** ranges read in one request, regardless of gaps */
  together?: readonly RegisterRange[];
  /** addresses that no request may cross */
  borders?: readonly number[];
};

type Slots = readonly [RegisterSlot, ...RegisterSlot[]];

type Block = { slots: Slots; address: number; count: number; failures: number };

const maxGap = 12; // reading unused registers is cheaper than another request
const maxFailures = 3;
const readingsUntilReset = 300; // a device with a temporary fault gets all its registers back
const refusals = [1, 2, 3, 4]; // illegal function, address, value; and device failure, which some devices send instead

/** Returns whether the device may not have the register; other errors say nothing about it. */
export const isRefusal = (error: unknown): error is ModbusException =>
  error instanceof ModbusException && refusals.includes(error.code);

/**
 * Plans the requests that fill the slots, and adapts to the device: it splits a refused block and gives up registers that
 * are refused repeatedly. It starts over every 300 readings, and ignores readings in which everything was refused.
 */
export function createReadPlan(slots: readonly RegisterSlot[], limits: PlanLimits = {}) {
  let wanted = slots;
  let blocks = planBlocks(wanted, limits);
  let readings = 0;

  async function fill(block: Block, read: ReadRegisters): Promise<Block[]> {
    const words = await readUnlessRefused(block, read);
    if (words) {
      for (const slot of block.slots) {
        slot.words = words;
        slot.offset = slot.address - block.address;
      }
      block.failures = 0;
      return [block];
    }
    const parts = split(block);
    if (parts) return [...(await fill(parts[0], read)), ...(await fill(parts[1], read))];
    block.failures += 1;
    const isGivenUp = block.failures >= maxFailures && !block.slots.some((slot) => slot.isMandatory);
    return isGivenUp ? [] : [block];
  }

  return {
    /** Fills the slots; returns false when the device refused every request. */
    async read(read: ReadRegisters): Promise<boolean> {
      for (const slot of slots) slot.words = undefined;
      if (++readings % readingsUntilReset === 0) blocks = planBlocks(wanted, limits);
      const filled: Block[] = [];
      for (const block of blocks) filled.push(...(await fill(block, read)));
      const hasAnswered = filled.some(({ failures }) => failures === 0);
      if (hasAnswered) blocks = filled;
      return hasAnswered;
    },
    /** Stops reading these slots. */
    drop(dropped: ReadonlySet<RegisterSlot>): void {
      wanted = wanted.filter((slot) => !dropped.has(slot));
      blocks = blocks.flatMap(({ slots, failures }) => {
        const [first, ...rest] = slots.filter((slot) => !dropped.has(slot));
        return first ? [{ ...blockOf([first, ...rest]), failures }] : [];
      });
    },
  };
}

async function readUnlessRefused(block: Block, read: ReadRegisters): Promise<readonly number[] | undefined> {
  const words = await read(block.slots[0].table, block.address, block.count).catch(undefinedIf(isRefusal));
  return words && words.length >= block.count ? words : undefined;
}

const endOf = ({ address, count }: { address: number; count: number }): number => address + count;

function blockOf(slots: Slots): Block {
  const { address } = slots[0];
  return { slots, address, count: Math.max(...slots.map(endOf)) - address, failures: 0 };
}

function planBlocks(slots: readonly RegisterSlot[], limits: PlanLimits): Block[] {
  const { maxBlock = 125, together = [], borders = [] } = limits;
  const rangeOf = (slot: RegisterSlot): RegisterRange | undefined =>
    together.find(
      (range) => range.table === slot.table && range.address <= slot.address && endOf(slot) <= endOf(range),
    );
  const mayJoin = ([first, ...rest]: Slots, slot: RegisterSlot): boolean => {
    const end = Math.max(endOf(first), ...rest.map(endOf));
    if (slot.table !== first.table || Math.max(end, endOf(slot)) - first.address > maxBlock) return false;
    if (borders.some((border) => end <= border && slot.address >= border)) return false;
    const range = rangeOf(slot);
    return (range !== undefined && range === rangeOf(first)) || slot.address - end <= maxGap;
  };

  const groups: [RegisterSlot, ...RegisterSlot[]][] = [];
  for (const slot of slots.toSorted((a, b) => a.table.localeCompare(b.table) || a.address - b.address)) {
    const open = groups.at(-1);
    if (open && mayJoin(open, slot)) open.push(slot);
    else groups.push([slot]);
  }
  return groups.map(blockOf);
}

/** Splits a block at its widest gap, and at the one nearest to the middle when several are equally wide. */
function split({ slots: [first, ...rest] }: Block): [Block, Block] | undefined {
  const middle = (rest.length + 1) / 2;
  let best: { index: number; gap: number } | undefined;
  let end = endOf(first);
  for (const [at, slot] of rest.entries()) {
    const index = at + 1;
    const gap = slot.address - end;
    const isNearer = best && Math.abs(index - middle) < Math.abs(best.index - middle);
    if (gap >= 0 && (!best || gap > best.gap || (gap === best.gap && isNearer))) best = { index, gap };
    end = Math.max(end, endOf(slot));
  }
  if (!best) return undefined;
  const [head, ...tail] = rest.slice(best.index - 1);
  return head && [blockOf([first, ...rest.slice(0, best.index - 1)]), blockOf([head, ...tail])];
}
