import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { LinkError } from '../link-error.ts';
import { identifyRequest, type ModbusRequest, readAnswer, readRequest, writeManyRequest, writeRequest } from './pdu.ts';
import { crc16 } from './rtu-framing.ts';
import { ModbusException } from './unit.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

function encoded(request: ModbusRequest<unknown>): Buffer {
  const out = Buffer.alloc(260);
  return out.subarray(0, request.encode(out, 0));
}

/** Reads an answer from the middle of a buffer. */
function answer(request: ModbusRequest<unknown>, text: string): unknown {
  const pdu = hex(text);
  return readAnswer(request, Buffer.concat([Buffer.of(0xff), pdu, Buffer.of(0xff)]), 1, 1 + pdu.length);
}

suite('a request', () => {
  for (const { says, request, bytes } of [
    { says: 'reads holding registers', request: readRequest('holding', 0x6b, 3), bytes: '03 006b 0003' },
    { says: 'reads an input register', request: readRequest('input', 8, 1), bytes: '04 0008 0001' },
    { says: 'reads up to the last address', request: readRequest('holding', 0xffff, 1), bytes: '03 ffff 0001' },
    { says: 'writes a register', request: writeRequest(1, 3), bytes: '06 0001 0003' },
    { says: 'writes registers', request: writeManyRequest(1, [10, 0x102]), bytes: '10 0001 0002 04 000a 0102' },
    { says: 'reads the identification', request: identifyRequest(0), bytes: '2b 0e 01 00' },
  ])
    test(says, () => assert.deepEqual(encoded(request), hex(bytes)));

  for (const [says, make] of [
    ['no register', () => readRequest('holding', 0, 0)],
    ['126 registers', () => readRequest('holding', 0, 126)],
    ['half a register', () => readRequest('holding', 0, 1.5)],
    ['a negative address', () => readRequest('holding', -1, 1)],
    ['registers after the last address', () => readRequest('holding', 0xffff, 2)],
    ['124 registers to write', () => writeManyRequest(0, new Array(124).fill(0))],
    ['nothing to write', () => writeManyRequest(0, [])],
    ['a value of more than 16 bits', () => writeRequest(0, 0x1_0000)],
    ['a negative value', () => writeManyRequest(0, [1, -1])],
  ] as const)
    test(`is not made for ${says}`, () => assert.throws(make, RangeError));
});

suite('an answer', () => {
  test('contains the registers', () => {
    assert.deepEqual(answer(readRequest('holding', 0x6b, 3), '03 06 022b 0000 0064'), [555, 0, 100]);
  });

  test('confirms writes', () => {
    assert.equal(answer(writeRequest(1, 3), '06 0001 0003'), true);
    assert.equal(answer(writeManyRequest(1, [10, 0x102]), '10 0001 0002'), true);
  });

  test('identifies the device, also when more objects follow', () => {
    const said = answer(identifyRequest(0), '2b 0e 01 01 ff 02 02 00 04 41434d45 01 03 582000');
    assert.deepEqual(said, new Map([[0, 'ACME'], [1, 'X']])); // biome-ignore format: a table
  });

  test('may be an exception', () => {
    const no = answer(readRequest('input', 0, 1), '84 02');
    assert.ok(no instanceof ModbusException);
    assert.equal(no.code, 2);
  });

  for (const [says, request, bytes] of [
    ['of another function', readRequest('holding', 0, 1), '04 02 0001'],
    ['with an exception of another function', readRequest('holding', 0, 1), '84 02'],
    ['with fewer registers', readRequest('holding', 0, 2), '03 02 0001'],
    ['with more registers', readRequest('holding', 0, 1), '03 04 0001 0002'],
    ['with a byte count that is wrong', readRequest('holding', 0, 1), '03 04 0001'],
    ['with a byte too many', readRequest('holding', 0, 1), '03 02 0001 00'],
    ['of nothing', readRequest('holding', 0, 1), ''],
    ['that confirms another address', writeRequest(1, 3), '06 0002 0003'],
    ['that confirms another value', writeRequest(1, 3), '06 0001 0004'],
    ['that confirms another count', writeManyRequest(1, [1, 2]), '10 0001 0001'],
    ['whose text is longer than the answer', identifyRequest(0), '2b 0e 01 01 00 00 01 00 05 41'],
    ['with another kind of identification', identifyRequest(0), '2b 0d 01 01 00 00 00'],
    ['with bytes after the texts', identifyRequest(0), '2b 0e 01 01 00 00 00 41'],
  ] as const)
    test(`${says} is rejected`, () => assert.throws(() => answer(request, bytes), LinkError));
});

test('the RTU checksum matches the standard', () => {
  assert.equal(crc16(Buffer.from('123456789'), 0, 9), 0x4b37);
  const frame = hex('0103 0000 000a c5cd');
  assert.equal(crc16(frame, 0, 6), frame.readUInt16LE(6));
});
