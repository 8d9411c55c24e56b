import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { createFakeClock } from '#test/fake-clock.ts';
import { createP1Decoder } from './decoder.ts';
import { type P1Frame, p1Formats } from './frame.ts';
import { decodeAll, meterNamed, reasons, withoutLines } from './testing/decode.ts';
import { hdlc, hex, mbusParts, notification, structure, telegram, u32, withLlc } from './testing/frames.ts';
import { expectedOf } from './testing/meter.ts';
import { testMeters } from './testing/meters.ts';

const se = meterNamed('SE');
const dsmr5 = meterNamed('NL DSMR 5.0');
const dsmr22 = meterNamed('NL DSMR 2.2');
const aidon = meterNamed('Aidon list 3');
const austrian = meterNamed('AT plain');

suite('a message', () => {
  for (const meter of testMeters) {
    test(`of ${meter.name} is read`, () => {
      const { frames, failed } = decodeAll([meter.bytes], meter.keys);
      assert.deepEqual(frames.map(withoutLines), [expectedOf(meter)]);
      assert.deepEqual(failed, []);
    });
  }

  test('keeps the received lines that have a code', () => {
    const [frame] = decodeAll([dsmr22.bytes]).frames;
    assert.equal(frame!.obis.length, 11);
    assert.equal(frame!.obis[1], '1-0:1.8.1(00185.000*kWh)');
  });

  test('of a binary format has lines in the form of a telegram', () => {
    const { obis } = decodeAll([aidon.bytes]).frames[0]!;
    for (const line of [
      '1-1:0.2.129(AIDON_V0001)',
      '1-0:1.7.0(0000.280*kW)',
      '1-0:4.7.0(0000.128*kVAr)',
      '1-0:31.7.0(001.3*A)',
      '1-0:32.7.0(227.4*V)',
      '0-0:1.0.0(2024-03-05T14:30:10)',
      '1-0:1.8.0(00012345.670*kWh)',
    ])
      assert.ok(obis.includes(line), line);
  });
});

suite('the decoder handles', () => {
  const noise = hex('ff 00 7e 7d 68 2f 16 21 db 0f a0 7e 68 05 16');

  for (const meter of testMeters.filter(({ isUnchecked }) => !isUnchecked)) {
    test(`noise and partial frames around ${meter.name}`, () => {
      const tail = meter.bytes.subarray(meter.bytes.length >> 1);
      const { frames } = decodeAll([noise, tail, noise, meter.bytes, noise, meter.bytes.subarray(0, 30)], meter.keys);
      assert.deepEqual(frames.map(withoutLines), [expectedOf(meter)]);
    });
  }

  test('several telegrams in one chunk', () => {
    const { frames, failed } = decodeAll([Buffer.concat([se.bytes, dsmr5.bytes, se.bytes])]);
    assert.deepEqual(
      frames.map(({ device_id }) => device_id),
      [se.device_id, dsmr5.device_id, se.device_id],
    );
    assert.deepEqual(failed, []);
  });

  test('two frames that share one flag, and flags between frames', () => {
    const first = aidon.bytes.subarray(0, -1);
    const { frames, failed } = decodeAll([
      Buffer.concat([hex('7e7e7e'), first, aidon.bytes, hex('7e7e'), aidon.bytes]),
    ]);
    assert.equal(frames.length, 3);
    assert.deepEqual(failed, []);
  });

  test('flags alone, which are not a failure', () => {
    assert.deepEqual(decodeAll([hex('7e7e')]), { frames: [], failed: [] });
    assert.deepEqual(decodeAll([hex('7e')]), { frames: [], failed: [] });
  });

  test('line ends before the slash and NULs after the CRC', () => {
    const { frames } = decodeAll([Buffer.from('\r\n'), se.bytes, hex('00'), se.bytes]);
    assert.equal(frames.length, 2);
  });

  test('a missing line end after the CRC', () => {
    assert.equal(decodeAll([se.bytes.subarray(0, -2)]).frames.length, 1);
  });

  test('a CRC without its leading zeros', () => {
    const lines = Array.from({ length: 400 }, (_, watts) => [`1-0:1.7.0(0000.${String(watts).padStart(3, '0')}*kW)`]);
    const short = lines
      .map((line) => telegram('ADN9 6534', line, (digits) => digits.replace(/^0+/, '')))
      .find((bytes) => bytes.indexOf('!') === bytes.length - 6)!;
    assert.equal(decodeAll([short]).frames.length, 1);
  });

  test('7D and 7E, 16 and 68 as data', () => {
    for (const watts of [0x7d7e7d7e, 0x16681668, 0x7ea00768]) {
      const body = withLlc(notification(structure(u32(watts))));
      assert.equal(decodeAll([hdlc(body)]).frames[0]?.meter.W, watts);
      assert.equal(decodeAll([mbusParts(body.subarray(3), 200)]).frames[0]?.meter.W, watts);
    }
  });

  test('an inverted signal, without any frame', () => {
    for (const { bytes, keys } of testMeters) {
      const inverted = bytes.map((byte) => byte ^ 0xff);
      assert.deepEqual(decodeAll([inverted], keys).frames, []);
    }
  });

  test('one format after another', () => {
    const { frames } = decodeAll([se.bytes, aidon.bytes, austrian.bytes, se.bytes]);
    assert.deepEqual(
      frames.map(({ format }) => format),
      ['ascii', 'hdlc', 'mbus', 'ascii'],
    );
  });
});

suite('the format of a line', () => {
  test('is locked after two valid frames, until 30 s without one', () => {
    const clock = createFakeClock(0);
    const frames: P1Frame[] = [];
    const decoder = createP1Decoder({}, { onFrame: (frame) => frames.push(frame), onFailed: () => {} }, clock);
    const isDecoded = (bytes: Uint8Array): boolean => {
      const before = frames.length;
      decoder.push(bytes);
      decoder.idle();
      return frames.length > before;
    };
    assert.ok(isDecoded(aidon.bytes));
    assert.ok(isDecoded(se.bytes), 'one frame does not lock the format');
    assert.ok(isDecoded(se.bytes));
    assert.ok(!isDecoded(aidon.bytes));
    clock.advance(29_000);
    assert.ok(!isDecoded(aidon.bytes));
    clock.advance(1000);
    assert.ok(isDecoded(aidon.bytes));
  });
});

suite('DLMS without a frame', () => {
  const bare = meterNamed('CZ without a frame');

  test('is accepted if it is all data between two silences', () => {
    assert.equal(decodeAll([bare.bytes.subarray(0, 20), bare.bytes.subarray(20)]).frames.length, 1);
    assert.equal(decodeAll([bare.bytes, hex('00')]).frames.length, 0);
    assert.equal(decodeAll([hex('00'), bare.bytes]).frames.length, 0);
  });

  test('is not found inside a frame that failed', () => {
    const broken = hdlc(withLlc(bare.bytes));
    broken[40]! ^= 1;
    for (let from = 0; from < 20; from++) assert.deepEqual(decodeAll([broken.subarray(from)]).frames, []);
  });

  test('is ignored on a line whose meter sends frames', () => {
    const frames: P1Frame[] = [];
    const decoder = createP1Decoder({}, { onFrame: (frame) => frames.push(frame), onFailed: () => {} });
    for (const { bytes } of [aidon, bare]) {
      decoder.push(bytes);
      decoder.idle();
    }
    assert.deepEqual(frames.map(withoutLines), [expectedOf(aidon)]);
  });
});

for (const format of p1Formats) {
  test(`the chunks in which ${format} is received make no difference`, () => {
    const meters = testMeters.filter((meter) => meter.format === format);
    const stream = Buffer.concat([
      hex('2f2f7e'),
      ...meters.flatMap(({ bytes }) => [bytes, bytes.subarray(0, 99), bytes]),
    ]);
    const keys = { decryptionKey: meterNamed('LU encrypted').keys!.decryptionKey! };
    const whole = decodeAll([stream], keys);
    assert.ok(whole.frames.length > meters.length && whole.failed.length > 0);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 50 }), (sizes) => {
        const chunks: Uint8Array[] = [];
        for (let at = 0, turn = 0; at < stream.length; turn++) {
          const size = sizes[turn % sizes.length]!;
          chunks.push(stream.subarray(at, at + size));
          at += size;
        }
        const heard = decodeAll(chunks, keys);
        assert.deepEqual(heard.frames, whole.frames);
        assert.deepEqual(reasons(heard), reasons(whole));
      }),
      { numRuns: 40 },
    );
  });
}
