import type { ReadRegisters } from '../../links/modbus/unit.ts';
import { readPoint, readWords } from './check.ts';
import type { PointDefaults } from './evaluate.ts';
import type { Point, Text } from './point.ts';
import { textOf } from './words.ts';

export type SerialFinding = {
  serial: string | undefined;
  /** text in the place of a serial number is evidence; a number there is not, and no text at all speaks against it */
  verdict: 'yes' | 'silent' | 'no';
};

const shortest = 4;

export async function readSerial(
  at: Text | Point,
  defaults: PointDefaults,
  read: ReadRegisters,
): Promise<SerialFinding> {
  if (at.kind === 'point') {
    const number = await readPoint(at, defaults, read);
    return { serial: number ? String(number) : undefined, verdict: 'silent' };
  }
  const words = await readWords(at, read);
  if (!words) return { serial: undefined, verdict: 'silent' };
  const text = textOf(words);
  if (text === undefined) return { serial: undefined, verdict: 'no' };
  const serial = text.replace(/\s/g, '');
  if (/^0*$/.test(serial)) return { serial: undefined, verdict: 'silent' };
  return { serial, verdict: serial.length >= shortest ? 'yes' : 'silent' };
}
