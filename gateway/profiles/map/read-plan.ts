import { ModbusException, type ReadRegisters, type RegisterTable } from '../../links/modbus/unit.ts';

/** Registers that belong together, and where their content is after a reading. */
export type Cell = {
  table: RegisterTable;
  address: number;
  count: number;
  /** asked for again at every reading, however often it was refused */
  isMandatory: boolean;
  words: readonly number[] | undefined;
  /** where it begins in `words` */
  at: number;
};

export type Area = { table: RegisterTable; address: number; count: number };

export type PlanLimits = {
  /** most registers in a request */
  maxBlock?: number;
  /** read in one go, whatever lies between */
  together?: readonly Area[];
  /** addresses that no request may cross */
  borders?: readonly number[];
};

type Block = { cells: readonly Cell[]; address: number; count: number; failures: number };

export type ReadPlan = {
  /** Fills the cells; false when the device refused everything. */
  read(read: ReadRegisters): Promise<boolean>;
  /** Reads these no more. */
  drop(cells: ReadonlySet<Cell>): void;
};

const widestGap = 12; // reading unused registers is cheaper than another request
const patience = 3;
const readingsUntilAnew = 300; // a device that was ill for a moment has its registers again
const refusals = [1, 2, 3, 4]; // illegal function, address, value; failure, which some say instead

/** What is refused can be absent; anything else says nothing about the registers. */
export const isRefusal = (error: unknown): error is ModbusException =>
  error instanceof ModbusException && refusals.includes(error.code);

/**
 * Which requests fill the cells. It learns: a refused block is divided, and what is refused again and again is left alone.
 * Now and then it begins anew, and a device that refuses everything teaches it nothing.
 */
export function createReadPlan(cells: readonly Cell[], limits: PlanLimits = {}): ReadPlan {
  let wanted = cells;
  let blocks = blocksOf(wanted, limits);
  let readings = 0;

  async function fill(block: Block, read: ReadRegisters): Promise<Block[]> {
    const words = await readOrRefusal(block, read);
    if (words) {
      for (const cell of block.cells) {
        cell.words = words;
        cell.at = cell.address - block.address;
      }
      block.failures = 0;
      return [block];
    }
    const parts = divide(block);
    if (parts) return [...(await fill(parts[0], read)), ...(await fill(parts[1], read))];
    block.failures += 1;
    const isGivenUp = block.failures >= patience && !block.cells.some((cell) => cell.isMandatory);
    return isGivenUp ? [] : [block];
  }

  return {
    async read(read) {
      for (const cell of cells) cell.words = undefined;
      if (++readings % readingsUntilAnew === 0) blocks = blocksOf(wanted, limits);
      const filled: Block[] = [];
      for (const block of blocks) filled.push(...(await fill(block, read)));
      const hasAnswered = filled.some(({ failures }) => failures === 0);
      if (hasAnswered) blocks = filled;
      return hasAnswered;
    },
    drop(dropped) {
      wanted = wanted.filter((cell) => !dropped.has(cell));
      blocks = blocks.flatMap(({ cells, failures }) => {
        const kept = cells.filter((cell) => !dropped.has(cell));
        return kept.length > 0 ? [{ ...blockOf(kept), failures }] : [];
      });
    },
  };
}

async function readOrRefusal(block: Block, read: ReadRegisters): Promise<readonly number[] | undefined> {
  try {
    const words = await read(block.cells[0]!.table, block.address, block.count);
    return words.length >= block.count ? words : undefined;
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

const endOf = ({ address, count }: { address: number; count: number }): number => address + count;

function blockOf(cells: readonly Cell[]): Block {
  const address = cells[0]!.address;
  return { cells, address, count: Math.max(...cells.map(endOf)) - address, failures: 0 };
}

function blocksOf(cells: readonly Cell[], { maxBlock = 125, together = [], borders = [] }: PlanLimits): Block[] {
  const areaOf = (cell: Cell): number =>
    together.findIndex(
      (area) => area.table === cell.table && area.address <= cell.address && endOf(cell) <= endOf(area),
    );
  const mayJoin = (open: Cell[], cell: Cell): boolean => {
    const { table, address } = open[0]!;
    const end = Math.max(...open.map(endOf));
    if (cell.table !== table || Math.max(end, endOf(cell)) - address > maxBlock) return false;
    if (borders.some((border) => end <= border && cell.address >= border)) return false;
    const area = areaOf(cell);
    return (area >= 0 && area === areaOf(open[0]!)) || cell.address - end <= widestGap;
  };

  const sorted = cells.toSorted((a, b) => a.table.localeCompare(b.table) || a.address - b.address);
  const groups: Cell[][] = [];
  for (const cell of sorted) {
    const open = groups.at(-1);
    if (open && mayJoin(open, cell)) open.push(cell);
    else groups.push([cell]);
  }
  return groups.map(blockOf);
}

/** At the widest gap, near the middle when there are several. */
function divide({ cells }: Block): [Block, Block] | undefined {
  let best: { place: number; gap: number } | undefined;
  let end = endOf(cells[0]!);
  for (let place = 1; place < cells.length; place++) {
    const gap = cells[place]!.address - end;
    const isNearer = best && Math.abs(place - cells.length / 2) < Math.abs(best.place - cells.length / 2);
    if (gap >= 0 && (!best || gap > best.gap || (gap === best.gap && isNearer))) best = { place, gap };
    end = Math.max(end, endOf(cells[place]!));
  }
  return best && [blockOf(cells.slice(0, best.place)), blockOf(cells.slice(best.place))];
}
