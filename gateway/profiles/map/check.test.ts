import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ModbusException, type ReadRegisters } from '../../links/modbus/unit.ts';
import { type Condition, isMet } from './check.ts';
import { holding } from './point.ts';

const isHigh: Condition = { at: holding('u16', 0), is: (type) => type === 6 };
const answers: Condition = { at: holding('u16', 0), answers: true };
const none = 0xffff;

/** Answers in this order, repeating the last; a number is returned, an exception thrown. */
function answering(...replies: (number | ModbusException)[]): ReadRegisters {
  let requests = 0;
  return async () => {
    const next = replies[Math.min(requests++, replies.length - 1)]!;
    if (typeof next !== 'number') throw next;
    return [next];
  };
}

const refused = new ModbusException(2);
const failing = new ModbusException(4);

for (const { says, condition, read, is } of [
  { says: 'a single refusal is tried again', condition: isHigh, read: answering(refused, 6), is: true },
  { says: 'two failures are tried again', condition: isHigh, read: answering(failing, failing, 6), is: true },
  {
    says: 'a missing value is tried again',
    condition: isHigh,
    read: answering(none, none, 6),
    is: true,
  },
  { says: 'another number is not met', condition: isHigh, read: answering(5, 6), is: false },
  {
    says: 'three refusals are not met',
    condition: isHigh,
    read: answering(refused, refused, refused, 6),
    is: false,
  },
  { says: 'three failures are not met', condition: isHigh, read: answering(failing), is: false },
  { says: 'three missing values are not met', condition: isHigh, read: answering(none), is: false },
  { says: 'an address that refuses once answers', condition: answers, read: answering(refused, none), is: true },
  { says: 'an address that always refuses does not answer', condition: answers, read: answering(refused), is: false },
]) {
  test(`condition: ${says}`, async () => assert.equal(await isMet(condition, {}, read), is));
}
