import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ModbusException, type ReadRegisters } from '../../links/modbus/unit.ts';
import { type Finding, holds } from './check.ts';
import { holding } from './point.ts';

const isHigh: Finding = { at: holding('u16', 0), is: (type) => type === 6 };
const answers: Finding = { at: holding('u16', 0), answers: true };
const none = 0xffff;

/** Says these one after the other; a number is a word, an exception is thrown. The last is said on and on. */
function saying(...said: (number | ModbusException)[]): ReadRegisters {
  let asked = 0;
  return async () => {
    const next = said[Math.min(asked++, said.length - 1)]!;
    if (typeof next !== 'number') throw next;
    return [next];
  };
}

const refused = new ModbusException(2);
const failing = new ModbusException(4);

for (const { says, finding, read, is } of [
  { says: 'a refusal that passes is no answer', finding: isHigh, read: saying(refused, 6), is: true },
  { says: 'neither is a failure that passes', finding: isHigh, read: saying(failing, failing, 6), is: true },
  {
    says: 'nor nothing where there is something a moment later',
    finding: isHigh,
    read: saying(none, none, 6),
    is: true,
  },
  { says: 'another number is a no', finding: isHigh, read: saying(5, 6), is: false },
  {
    says: 'what is refused three times is a no',
    finding: isHigh,
    read: saying(refused, refused, refused, 6),
    is: false,
  },
  { says: 'what fails three times is a no', finding: isHigh, read: saying(failing), is: false },
  { says: 'what has nothing three times is a no', finding: isHigh, read: saying(none), is: false },
  { says: 'a place that refuses once does answer', finding: answers, read: saying(refused, none), is: true },
  { says: 'a place that always refuses does not', finding: answers, read: saying(refused), is: false },
]) {
  test(`which way a device answers: ${says}`, async () => assert.equal(await holds(finding, {}, read), is));
}
