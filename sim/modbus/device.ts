import type { Clock } from '#lib/clock.ts';
import { createFaults } from '../faults.ts';
import type { HouseState } from '../house/state.ts';
import type { House } from '../house.ts';
import type { Bank, Command, Row, Settings, Table } from './bank.ts';
import { decode, encode, encodeText, type Kind, lengthOf } from './words.ts';

export const exceptionCodes = {
  'illegal function': 1,
  'illegal address': 2,
  'illegal value': 3,
  'target does not answer': 11,
} as const;

/** Thrown to answer a request with an exception. */
export class ModbusException extends Error {
  readonly code: number;

  constructor(reason: keyof typeof exceptionCodes) {
    super(reason);
    this.code = exceptionCodes[reason];
  }
}

export type Device = ReturnType<typeof createDevice>;

type Cell = { words(house: HouseState): number[]; offset: number };
type Cells = Map<number, Cell>;

export function createDevice(bank: Bank, { house, clock }: { house: House; clock: Clock }) {
  const holding = cellsOf(bank.holding);
  const input = bank.isMirrored ? holding : cellsOf(bank.input);
  const written = new Map<number, number>(); // settings by register
  const kinds = new Map((bank.settings ?? []).map(([address, kind]) => [address, kind]));
  for (const [address, kind, initial] of bank.settings ?? []) store(address, encode(initial, kind));
  const control = bank.control?.();
  let command: Command = {};
  let untilMs = Number.POSITIVE_INFINITY;

  function store(address: number, words: readonly number[]): void {
    for (const [index, word] of words.entries()) written.set(address + index, word);
  }

  function kindOf(address: number): Kind {
    const kind = kinds.get(address);
    if (!kind) throw new Error(`Register ${address} of ${bank.title} is not a setting.`);
    return kind;
  }

  const settings: Settings = {
    get(address) {
      const kind = kindOf(address);
      return decode(
        Array.from({ length: lengthOf(kind) }, (_, index) => written.get(address + index) ?? 0),
        kind,
      );
    },
    set: (address, value) => store(address, encode(value, kindOf(address))),
  };

  function applySettings(address: number): void {
    if (!control) return;
    const now = clock.now();
    const before = command;
    command = control(settings, address, house.at(now));
    untilMs = now + (command.expires?.afterMs ?? Number.POSITIVE_INFINITY);
    // A house may have several devices; each revokes only its own commands.
    if (command.battery || before.battery) house.force(command.battery, untilMs);
    if (command.pvLimit_W !== before.pvLimit_W) house.limitPv(command.pvLimit_W);
    if (command.exportLimit_W !== before.exportLimit_W) house.limitExport(command.exportLimit_W);
  }

  function expire(): void {
    if (clock.now() < untilMs || !command.expires) return;
    const resets = Object.entries(command.expires.resets);
    for (const [address, value] of resets) settings.set(Number(address), value);
    applySettings(-1);
  }

  return {
    bank,
    faults: createFaults(clock),
    read(table: 'input' | 'holding', address: number, count: number): number[] {
      if (count > (bank.maxReadCount ?? 125)) throw new ModbusException('illegal value');
      expire();
      const state = house.at(clock.now());
      const cells = table === 'input' ? input : holding;
      return Array.from({ length: count }, (_, index) => {
        const stored = table === 'holding' || bank.isMirrored ? written.get(address + index) : undefined;
        const cell = cells.get(address + index);
        const word = stored ?? cell?.words(state)[cell.offset];
        if (word === undefined) throw new ModbusException('illegal address');
        return word;
      });
    },
    write(address: number, words: readonly number[]): void {
      expire();
      if (!words.every((_, index) => written.has(address + index))) throw new ModbusException('illegal address');
      store(address, words);
      applySettings(address);
    },
    mode(): 'self-consumption' | 'forced' {
      expire();
      return command.battery ? 'forced' : 'self-consumption';
    },
    setting(address: number): number {
      expire();
      return settings.get(address);
    },
  };
}

function cellsOf(table: Table = { rows: [] }): Cells {
  const cells: Cells = new Map();
  const fill: Cell = { words: () => [table.fill ?? 0], offset: 0 };
  for (const [from, count] of Object.entries(table.areas ?? {}))
    for (let index = 0; index < count; index += 1) cells.set(Number(from) + index, fill);
  for (const row of table.rows) {
    const { words, length } = contentOf(row);
    for (let offset = 0; offset < length; offset += 1) cells.set(row[0] + offset, { words, offset });
  }
  return cells;
}

function contentOf(row: Row): { words: Cell['words']; length: number } {
  if (typeof row[1] === 'number') {
    const text = encodeText(row[2], row[1]);
    return { words: () => text, length: row[1] };
  }
  const [, kind, value, step = 1] = row;
  const raw = (house: HouseState): number | undefined => {
    const native = typeof value === 'function' ? value(house) : value;
    return native === undefined ? undefined : native / step;
  };
  return { words: (house) => encode(raw(house), kind), length: lengthOf(kind) };
}
