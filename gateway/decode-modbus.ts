import type { DerValues } from '#contract/gateway/reading.ts';
import { isObject } from '#lib/json.ts';
import { ModbusException, type ReadRegisters, type RegisterTable } from './links/modbus/unit.ts';
import { type ModbusProfile, NotThisDevice } from './profiles/profile.ts';

export type RegisterImage = Record<RegisterTable, ReadonlyMap<number, number>>;

export type Decoded =
  | ({ serial: string | null; rated_power_W: number | null } & DerValues)
  | { ok: false; reason: string };

export class NoRegisterImage extends Error {
  override name = 'NoRegisterImage';
}

/** The device and its readings as a profile decodes them from a register image. */
export async function decodeModbus(profile: ModbusProfile, image: RegisterImage): Promise<Decoded> {
  try {
    const device = await profile.recognise(readFrom(image));
    const values = await device.harvest();
    return { serial: device.serial ?? null, rated_power_W: device.rated_power_W ?? null, ...values };
  } catch (error) {
    if (error instanceof NotThisDevice || error instanceof ModbusException) return { ok: false, reason: error.message };
    throw error;
  }
}

/** Reads from an image as from a device: an address that is not in it is an illegal one. */
export const readFrom =
  (image: RegisterImage): ReadRegisters =>
  async (table, address, count) =>
    Array.from({ length: count }, (_, index) => {
      const word = image[table].get(address + index);
      if (word === undefined) throw new ModbusException(2);
      return word;
    });

const tableOf: Record<number, RegisterTable> = { 3: 'holding', 4: 'input' };

type Part = ReturnType<typeof partOf>;

const partOf = (unit: string, table: RegisterTable, address: number, word: unknown) => ({ unit, table, address, word });

/**
 * Takes `{"unit_id": 1, "function_code": 3, "blocks": {"35100": [1, 2]}}`, several of these in a list, or
 * `{"units": {"1": {"input": {"4989": 21333}}}}`. Of several units it is the preferred one, or else the first.
 */
export function readRegisterImage(json: unknown, preferredUnit?: number): RegisterImage {
  const parts = (Array.isArray(json) ? json : [json]).flatMap((part: unknown) => {
    if (!isObject(part)) throw new NoRegisterImage('A register image is a JSON object, or a list of them.');
    return isObject(part.units) ? ofUnits(part.units) : ofBlocks(part);
  });
  const wanted = String(preferredUnit);
  const unit = parts.some((part) => part.unit === wanted) ? wanted : parts[0]?.unit;

  const image = { holding: new Map<number, number>(), input: new Map<number, number>() };
  for (const { table, address, word } of parts.filter((part) => part.unit === unit)) {
    if (!isWord(address) || !isWord(word)) {
      throw new NoRegisterImage(`Address or content of ${table} register ${address} is not a number from 0 to 65535.`);
    }
    image[table].set(address, word);
  }
  if (image.holding.size + image.input.size === 0) throw new NoRegisterImage('The register image is empty.');
  return image;
}

function ofUnits(units: Record<string, unknown>): Part[] {
  return Object.entries(units).flatMap(([unit, tables]) =>
    (['holding', 'input'] as const).flatMap((table) => {
      const registers = isObject(tables) ? tables[table] : undefined;
      return Object.entries(registers ?? {}).map(([address, word]) => partOf(unit, table, Number(address), word));
    }),
  );
}

function ofBlocks({ unit_id, function_code, blocks }: Record<string, unknown>): Part[] {
  const table = tableOf[Number(function_code)];
  if (!table) throw new NoRegisterImage('The function_code of a register image is 3 or 4.');
  if (!isObject(blocks)) throw new NoRegisterImage('A register image has blocks, or units.');
  return Object.entries(blocks).flatMap(([start, words]) => {
    if (!Array.isArray(words)) throw new NoRegisterImage(`Block ${start} is not a list of registers.`);
    return words.map((word: unknown, index) => partOf(String(unit_id), table, Number(start) + index, word));
  });
}

const isWord = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffff;
