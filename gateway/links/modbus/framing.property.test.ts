import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { amount } from '#test/amount.ts';
import { LinkError } from '../link-error.ts';
import { type Framing, readAnswer, readRequest } from './pdu.ts';
import { crc16, RtuFraming } from './rtu-framing.ts';
import { TcpFraming } from './tcp-framing.ts';
import { frame as tcpFrame } from './testing/hostile-server.ts';
import { ModbusException } from './unit.ts';

const unit = 17;
const line = { baudRate: 9600, dataBits: 8, parity: 'none', stopBits: 1 } as const;

const words = fc.array(fc.nat(0xffff), { minLength: 1, maxLength: 125 });
const noise = fc.uint8Array({ maxLength: 40 });
const cuts = fc.infiniteStream(fc.integer({ min: 1, max: 30 }));

function pduOf(values: readonly number[]): Buffer {
  const pdu = Buffer.alloc(2 + 2 * values.length);
  pdu.set([3, 2 * values.length]);
  values.forEach((value, index) => void pdu.writeUInt16BE(value, 2 + 2 * index));
  return pdu;
}

function rtuFrame(pdu: Uint8Array): Buffer {
  const frame = Buffer.concat([Buffer.of(unit), pdu, Buffer.alloc(2)]);
  frame.writeUInt16LE(crc16(frame, 0, frame.length - 2), frame.length - 2);
  return frame;
}

function* pieces(bytes: Uint8Array, sizes: Iterator<number>): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const size = sizes.next().value as number;
    yield bytes.slice(at, at + size);
    at += size;
  }
}

/** Returns what a framing takes for answers to a read of this many registers; nothing after a LinkError. */
function answersIn(framing: Framing, count: number, stream: Iterable<Uint8Array>) {
  const request = readRequest('holding', 100, count);
  framing.ask(unit, request);
  const answers: unknown[] = [];
  let strays = 0;
  try {
    for (const bytes of stream)
      framing.take(bytes, {
        onAnswer(from, at, end) {
          const answer = readAnswer(request, from, at, end);
          framing.settle('answered');
          answers.push(answer);
        },
        onStray: () => void strays++,
      });
  } catch (error) {
    assert.ok(error instanceof LinkError, String(error));
  }
  return { answers, strays };
}

suite('Modbus TCP', () => {
  test('is decoded however its bytes are split, between frames of other transactions', () => {
    const strangers = fc.array(fc.tuple(fc.integer({ min: 2, max: 0xffff }), words), { maxLength: 4 });
    fc.assert(
      fc.property(words, strangers, strangers, cuts, (values, before, after, sizes) => {
        const others = (list: typeof before) =>
          list.map(([transaction, other]) => tcpFrame(transaction, unit, pduOf(other)));
        const bytes = Buffer.concat([...others(before), tcpFrame(1, unit, pduOf(values)), ...others(after)]);
        const { answers, strays } = answersIn(new TcpFraming(), values.length, pieces(bytes, sizes));
        assert.deepEqual(answers, [values]);
        assert.equal(strays, before.length + after.length);
      }),
    );
  });

  test('is not found in random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), cuts, (bytes, sizes) => {
        const { answers } = answersIn(new TcpFraming(), 2, pieces(bytes, sizes));
        assert.deepEqual(answers, []);
      }),
    );
  });
});

suite('Modbus RTU', () => {
  test('is decoded however its bytes are split, with or without an echo, between noise', () => {
    fc.assert(
      fc.property(words, fc.boolean(), noise, noise, cuts, (values, isEchoed, before, after, sizes) => {
        const echo = Buffer.from(new RtuFraming(line).ask(unit, readRequest('holding', 100, values.length)));
        const bytes = Buffer.concat([before, isEchoed ? echo : Buffer.alloc(0), rtuFrame(pduOf(values)), after]);
        const { answers } = answersIn(new RtuFraming(line), values.length, pieces(bytes, sizes));
        assert.deepEqual(answers, [values]);
      }),
    );
  });

  // The checksum detects all errors of up to three bits, and all bursts of up to sixteen.
  const flips = fc
    .uniqueArray(fc.nat(), { minLength: 1, maxLength: 3 })
    .map((positions) => (bits: number) => [...new Set(positions.map((position) => position % bits))]);
  const burst = fc.tuple(fc.nat(), fc.uniqueArray(fc.integer({ min: 1, max: 15 }))).map(
    ([start, offsets]) =>
      (bits: number) =>
        [0, ...offsets].map((offset) => (start % (bits - 15)) + offset),
  );

  test('yields no value from a damaged answer', () => {
    fc.assert(
      fc.property(words, fc.oneof(flips, burst), cuts, (values, damage, sizes) => {
        const bytes = rtuFrame(pduOf(values));
        for (const bit of damage(bytes.length * 8)) bytes[bit >> 3]! ^= 1 << (bit & 7);
        const { answers } = answersIn(new RtuFraming(line), values.length, pieces(bytes, sizes));
        assert.deepEqual(
          answers.filter((answer) => !(answer instanceof ModbusException)),
          [],
        );
      }),
      { numRuns: amount(2000) },
    );
  });

  test('yields no value from a truncated answer or one of another length, unit or function', () => {
    fc.assert(
      fc.property(words, words, fc.nat(), cuts, (values, others, cut, sizes) => {
        const whole = rtuFrame(pduOf(values));
        const short = whole.subarray(0, cut % whole.length);
        const ofOtherUnit = Buffer.from(whole);
        ofOtherUnit[0] = unit + 1;
        ofOtherUnit.writeUInt16LE(crc16(ofOtherUnit, 0, whole.length - 2), whole.length - 2);
        const ofOtherFunction = rtuFrame(Buffer.concat([Buffer.of(4), pduOf(values).subarray(1)]));
        const ofOtherLength = others.length === values.length ? Buffer.alloc(0) : rtuFrame(pduOf(others));
        for (const bytes of [short, ofOtherUnit, ofOtherFunction, ofOtherLength])
          assert.deepEqual(answersIn(new RtuFraming(line), values.length, pieces(bytes, sizes)).answers, []);
      }),
    );
  });
});
