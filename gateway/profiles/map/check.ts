import { undefinedIf } from '#lib/error-code.ts';
import type { ReadRegisters } from '../../links/modbus/unit.ts';
import { evaluatorOf, type PointDefaults } from './evaluate.ts';
import type { Point, TextPoint } from './point.ts';
import { createReadPlan, isRefusal } from './read-plan.ts';
import { textOf } from './words.ts';

/** A required register content. It is inconclusive when other devices could have the same content by chance. */
export type Check = { what: string; isInconclusive?: true } & (
  | { at: Point; is: (value: number) => boolean }
  | { at: TextPoint; matches: RegExp }
);

/** Selects a variant by the value of a register, or by whether the device answers there at all. */
export type Condition = { at: Point; is: (value: number) => boolean } | { at: Point; answers: true };

/** `silent` means that the device does not answer at this address. */
type CheckResult = { verdict: 'yes' | 'silent' } | { verdict: 'no'; found: string };

/** Reads one value; undefined when the device refuses the address, NaN when it sends a pattern for "no value". */
export async function readPoint(
  point: Point,
  defaults: PointDefaults,
  read: ReadRegisters,
): Promise<number | undefined> {
  const evaluator = evaluatorOf(point, defaults);
  const isAnswered = await createReadPlan(evaluator.slots).read(read);
  return isAnswered ? evaluator.value() : undefined;
}

/** Reads the words of a text; undefined when the device refuses the address. */
export const readWords = ({ table, address, words }: TextPoint, read: ReadRegisters) =>
  read(table, address, words).catch(undefinedIf(isRefusal));

/** Reads a text; undefined if it is empty or unreadable. */
export async function readText(text: TextPoint, read: ReadRegisters): Promise<string | undefined> {
  const words = await readWords(text, read);
  return (words && textOf(words)) || undefined;
}

export async function runCheck(check: Check, defaults: PointDefaults, read: ReadRegisters): Promise<CheckResult> {
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
  return { verdict: 'no', found: Number.isNaN(value) ? 'no value' : String(value) };
}

const maxAttempts = 3;

/** Returns whether the condition is met. The answer applies to the whole connection, so a refusal is tried again. */
export async function isMet(condition: Condition, defaults: PointDefaults, read: ReadRegisters): Promise<boolean> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const value = await readPoint(condition.at, defaults, read);
    if (value === undefined) continue;
    if ('answers' in condition) return true;
    if (!Number.isNaN(value)) return condition.is(value);
  }
  return false;
}
