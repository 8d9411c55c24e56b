import type { ReadRegisters, RegisterTable } from '../../links/modbus/unit.ts';
import { readWords } from '../map/check.ts';
import { textOf } from '../map/words.ts';
import type { Model } from './models.ts';

export type SunSpecDevice = Awaited<ReturnType<typeof describe>>;

/** `isAnswered` if the device answered at an address where the mark should be */
type Discovery = { device?: SunSpecDevice; isAnswered: boolean };

const bases = [40_000, 0, 50_000];
const mark = [0x5375, 0x6e53]; // "SunS"
const endOfChain = 0xffff;
const maxModels = 100;
const lastAddress = 0xffff;

/** Looks for the mark at its three addresses and follows the chain of models; at most 6 requests and one per model. */
export async function discover(read: ReadRegisters): Promise<Discovery> {
  let isAnswered = false;
  for (const table of ['holding', 'input'] as const) {
    for (const base of bases) {
      const words = await readWords({ kind: 'text', table, address: base, words: 2 }, read);
      if (!words) continue;
      if (mark.every((word, index) => words[index] === word)) {
        return { isAnswered: true, device: await describe(await readChain(table, base + mark.length, read), read) };
      }
      isAnswered = true;
    }
    if (isAnswered) break; // the other function code would return the same
  }
  return { isAnswered };
}

/** Reads the chain of models. It trusts the lengths that the device reports, but stops at the end of the address space. */
async function readChain(table: RegisterTable, start: number, read: ReadRegisters): Promise<Model[]> {
  const models: Model[] = [];
  let address = start;
  while (models.length < maxModels && address + 1 <= lastAddress) {
    const header = await readWords({ kind: 'text', table, address, words: 2 }, read);
    const [id = endOfChain, length = 0] = header ?? [];
    if (id === endOfChain || address + 1 + length > lastAddress) break;
    models.push({ id, table, address, length });
    address += 2 + length;
  }
  return models;
}

const commonLength = 64; // up to the end of the serial number

/** Reads the common model of a chain. */
async function describe(models: readonly Model[], read: ReadRegisters) {
  const common = models.find(({ id }) => id === 1);
  const words =
    common && common.length >= commonLength
      ? await readWords({ kind: 'text', table: common.table, address: common.address + 2, words: commonLength }, read)
      : undefined;
  const text = (from: number): string => (words && textOf(words.slice(from, from + 16))) || '';
  const serial = text(48).replace(/\s/g, '');
  return { manufacturer: text(0), model: text(16), serial: /^0*$/.test(serial) ? undefined : serial, models };
}
