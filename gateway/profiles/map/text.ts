import type { ReadRegisters } from '../../links/modbus/unit.ts';
import { readWords } from './check.ts';
import type { Text } from './point.ts';
import { textOf } from './words.ts';

/** The text at a place; undefined when the device does not tell. */
export async function readText(text: Text, read: ReadRegisters): Promise<string | undefined> {
  const words = await readWords(text, read);
  return (words && textOf(words)) || undefined;
}
