import { fieldProblem, Problem } from '#contract/problem.ts';

export type RegisterWrite = { address: number; value: number };

const mostWrites = 125;

/**
 * The writes of a request in the order of its text. `JSON.parse` sorts keys that look like integers, so the order is
 * read from the text itself: that of the keys of its innermost flat object.
 */
export function writeList(registers: unknown, bodyText: string): RegisterWrite[] {
  if (!isObject(registers)) throw fieldProblem('invalid_request', 'body.registers', 'must be an object');
  const keys = Object.keys(registers);
  if (keys.length === 0) throw new Problem('invalid_request', 'No register is given; send {"<address>": value}.');
  if (keys.length > mostWrites) throw new Problem('invalid_request', `At most ${mostWrites} registers in one request.`);
  // Takes values along, too: to look for the end of each string from all of its quotes would take a minute of a long text.
  const inText = [...bodyText.matchAll(/"((?:[^"\\]|\\[\s\S]?)*)(?:"(\s*:)?|$)/g)]
    .filter(([, , colon]) => colon)
    .map(([, key]) => JSON.parse(`"${key}"`) as string);
  const order = new Map(inText.map((key, index) => [key, index]));
  return keys
    .toSorted((one, other) => order.get(one)! - order.get(other)!)
    .map((key) => ({ address: addressOf(key), value: wordOf(key, registers[key]) }));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function addressOf(key: string): number {
  const address = /^(\d{1,5}|0x[0-9a-f]{1,4})$/i.test(key) ? Number(key) : Number.NaN;
  if (address >= 0 && address <= 0xffff) return address;
  throw fieldProblem('invalid_request', `body.${key.slice(0, 40)}`, 'is no register address from 0 to 65535');
}

/** 16 bits, signed or not, as they go on the wire. */
export function wordOf(name: string, value: unknown): number {
  if (Number.isInteger(value) && (value as number) >= -0x8000 && (value as number) <= 0xffff) {
    return (value as number) & 0xffff;
  }
  throw fieldProblem('invalid_request', `body.${name.slice(0, 40)}`, 'must be an integer of 16 bits');
}
