import type { ReadRegisters } from '../../links/modbus/unit.ts';
import { evaluatorOf, type PointDefaults } from './evaluate.ts';
import type { Point, Text } from './point.ts';
import { createReadPlan, isRefusal } from './read-plan.ts';
import { textOf } from './words.ts';

/** Something that a register must say. What many devices could say by chance is no proof. */
export type Check = { what: string; isNoProof?: true } & (
  | { at: Point; is: (value: number) => boolean }
  | { at: Text; matches: RegExp }
);

/** Which way a device answers at a place. */
export type Finding = { at: Point; is: (value: number) => boolean } | { at: Point; answers: true };

/** What became of a check: `silent` when the device does not answer there. */
export type Outcome = { verdict: 'yes' | 'silent' } | { verdict: 'no'; found: string };

/** The value at one place; undefined when the device refuses to say, NaN when it says that there is none. */
export async function readPoint(
  point: Point,
  defaults: PointDefaults,
  read: ReadRegisters,
): Promise<number | undefined> {
  const evaluator = evaluatorOf(point, defaults);
  const isAnswered = await createReadPlan(evaluator.cells).read(read);
  return isAnswered ? evaluator.value() : undefined;
}

/** The words of a text; undefined when the device refuses to say. */
export async function readWords(
  { table, address, words }: Text,
  read: ReadRegisters,
): Promise<readonly number[] | undefined> {
  try {
    return await read(table, address, words);
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

export async function examine(check: Check, defaults: PointDefaults, read: ReadRegisters): Promise<Outcome> {
  if ('matches' in check) {
    const words = await readWords(check.at, read);
    if (!words) return { verdict: 'silent' };
    const text = textOf(words);
    if (text !== undefined && check.matches.test(text)) return { verdict: 'yes' };
    return { verdict: 'no', found: text ? `"${text}"` : 'no text' };
  }
  const value = await readPoint(check.at, defaults, read);
  if (value === undefined) return { verdict: 'silent' };
  if (!Number.isNaN(value) && check.is(value)) return { verdict: 'yes' };
  return { verdict: 'no', found: Number.isNaN(value) ? 'nothing' : String(value) };
}

const patience = 3;

/** What it finds is for the whole connection, so it asks again before it is a no. */
export async function holds(finding: Finding, defaults: PointDefaults, read: ReadRegisters): Promise<boolean> {
  for (let attempt = 0; attempt < patience; attempt++) {
    const value = await readPoint(finding.at, defaults, read);
    if (value === undefined) continue;
    if ('answers' in finding) return true;
    if (!Number.isNaN(value)) return finding.is(value);
  }
  return false;
}
