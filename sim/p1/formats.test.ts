import assert from 'node:assert/strict';
import { createDecipheriv } from 'node:crypto';
import { suite, test } from 'node:test';
import { crcByDivision } from '../testing/crc-by-division.ts';
import { fixedHouse } from '../testing/fixed-house.ts';
import { luxembourgAuthentication, simKey } from './dlms.ts';
import { type P1FormatName, p1Formats } from './formats.ts';
import { meterValues } from './meter-values.ts';

const at = Date.UTC(2025, 6, 1, 10, 20, 30); // 12:20:30 in summer
const V = [231.5, 229.4, 230.1] as const;
const Wh = { imported: 5_000_123.9, exported: 70_000_456 };
const importing = fixedHouse({ load_W: 3456, V, Wh });
const exporting = fixedHouse({ load_W: 456, pv_W: -3000, V, Wh });

const telegramOf = (format: P1FormatName, house = importing, count = 0): Buffer =>
  p1Formats[format].write(meterValues(house.at(at)), count);

test('the checksums of these tests match the published check values', () => {
  const digits = Buffer.from('123456789');
  assert.equal(crcByDivision(digits, 0x8005, 0), 0xbb3d);
  assert.equal(crcByDivision(digits, 0x8005, 0xffff), 0x4b37);
  assert.equal(crcByDivision(digits, 0x1021, 0xffff) ^ 0xffff, 0x906e);
});

/** Returns the lines of an ASCII telegram after checking its checksum. */
function linesOf(telegram: Buffer, hasCrc: boolean): string[] {
  const text = telegram.toString('latin1');
  assert.match(text, /^\/[A-Za-z]{3}\d.*SIM.*\r\n\r\n/);
  const end = text.indexOf('!');
  const crc = text.slice(end + 1, -2);
  assert.equal(text.slice(-2), '\r\n');
  if (hasCrc) assert.equal(Number.parseInt(crc, 16), crcByDivision(telegram.subarray(0, end + 1), 0x8005, 0));
  assert.equal(crc.length, hasCrc ? 4 : 0);
  return text.slice(0, end).split('\r\n');
}

suite('ASCII telegrams', () => {
  const expected: Record<string, string[]> = {
    dsmr22: ['1-0:1.8.1(02250.055*kWh)', '1-0:1.8.2(02750.068*kWh)', '1-0:1.7.0(0003.46*kW)', '(00123.456)'],
    dsmr42: ['0-0:1.0.0(250701122030S)', '1-0:1.7.0(03.456*kW)', '1-0:31.7.0(007*A)', '1-0:21.7.0(01.728*kW)'],
    dsmr5: [
      '1-3:0.2.8(50)',
      '1-0:2.7.0(00.000*kW)',
      '1-0:32.7.0(231.5*V)',
      '1-0:51.7.0(004.52*A)',
      '1-0:61.7.0(00.691*kW)',
    ],
    be: ['0-0:96.1.4(50217)', '1-0:1.7.0(03.456*kW)', '1-0:72.7.0(230.1*V)', '0-0:96.3.10(1)'],
    se: ['1-0:1.8.0(00005000.123*kWh)', '1-0:2.8.0(00070000.456*kWh)', '1-0:1.7.0(0003.456*kW)', '1-0:31.7.0(007.5*A)'],
    lu: ['1-0:1.8.0(005000123*Wh)', '1-0:1.7.0(000003456*W)'],
  };
  for (const [format, wanted] of Object.entries(expected)) {
    test(format, () => {
      const lines = linesOf(telegramOf(format as P1FormatName), format !== 'dsmr22');
      for (const line of wanted) assert.ok(lines.includes(line), `${line} is not in\n${lines.join('\n')}`);
    });
  }

  test('export has its own lines', () => {
    const lines = linesOf(telegramOf('dsmr5', exporting), true);
    for (const line of [
      '1-0:1.7.0(00.000*kW)',
      '1-0:2.7.0(02.544*kW)',
      '1-0:22.7.0(00.772*kW)',
      '1-0:21.7.0(00.000*kW)',
    ])
      assert.ok(lines.includes(line), `${line} is not in\n${lines.join('\n')}`);
  });

  test('timestamps distinguish winter and summer time', () => {
    const winter = p1Formats['dsmr5'].write(meterValues(importing.at(Date.UTC(2025, 9, 26, 1, 0, 0))), 0);
    assert.ok(linesOf(winter, true).includes('0-0:1.0.0(251026020000W)'));
    const summer = p1Formats['dsmr5'].write(meterValues(importing.at(Date.UTC(2025, 9, 26, 0, 59, 59))), 0);
    assert.ok(linesOf(summer, true).includes('0-0:1.0.0(251026025959S)'));
  });

  test('Luxembourg encrypts with a valid tag', () => {
    const frame = telegramOf('lu-encrypted', importing, 41);
    assert.deepEqual([frame[0], frame[1], frame[10]], [0xdb, 8, 0x82]);
    assert.equal(frame.readUInt16BE(11), frame.length - 13);
    assert.deepEqual([frame[13], frame.readUInt32BE(14)], [0x30, 42]);
    const iv = Buffer.concat([frame.subarray(2, 10), frame.subarray(14, 18)]);
    const decipher = createDecipheriv('aes-128-gcm', simKey, iv, { authTagLength: 12 });
    decipher.setAAD(Buffer.concat([Buffer.from([0x30]), luxembourgAuthentication]));
    decipher.setAuthTag(frame.subarray(-12));
    const plain = Buffer.concat([decipher.update(frame.subarray(18, -12)), decipher.final()]);
    assert.ok(linesOf(plain, true).includes('1-0:1.7.0(000003456*W)'));
  });
});

/** Returns the information of a frame as hex, after checking its length and both checksums. */
function informationOf(frame: Buffer, addressLength: number): string {
  assert.deepEqual([frame[0], frame.at(-1)], [0x7e, 0x7e]);
  assert.equal(frame.readUInt16BE(1), 0xa000 + frame.length - 2);
  const check = (end: number) => crcByDivision(frame.subarray(1, end), 0x1021, 0xffff) ^ 0xffff;
  const headerEnd = 3 + addressLength;
  assert.equal(frame.readUInt16LE(headerEnd), check(headerEnd));
  assert.equal(frame.readUInt16LE(frame.length - 3), check(frame.length - 3));
  const information = frame.subarray(headerEnd + 2, -3).toString('hex');
  assert.ok(information.startsWith('e6e7000f'), information);
  return information;
}

const hex = (value: number, bytes: number): string => value.toString(16).padStart(bytes * 2, '0');
const localTime = '07e90701020c141eff'; // Tuesday 1 July 2025, 12:20:30

suite('HDLC telegrams', () => {
  test('Aidon sends a unit with every value', () => {
    const information = informationOf(telegramOf('aidon'), 4);
    for (const part of [
      '011b', // an array of 27
      localTime,
      `0100010700ff06${hex(3456, 4)}02020f00161b`,
      `01001f0700ff10${hex(75, 2)}02020fff1621`,
      `0100200700ff12${hex(2315, 2)}02020fff1623`,
      `0100150700ff06${hex(1728, 4)}02020f00161b`,
      `0100010800ff06${hex(5_000_123, 4)}02020f00161e`,
    ])
      assert.ok(information.includes(part), `${part} is not in ${information}`);
  });

  test('Kaifa sends three different lists in turn', () => {
    const list = (count: number) => informationOf(telegramOf('kaifa', importing, count), 4);
    const [whole, short, long] = [list(0), list(1), list(5)];
    const power = `06${hex(3456, 4)}`;
    assert.ok(short.endsWith(`0201${power}`), short);
    const phases = `06${hex(7464, 4)}06${hex(4520, 4)}06${hex(3003, 4)}06${hex(2315, 4)}06${hex(2294, 4)}06${hex(2301, 4)}`;
    assert.ok(long.includes('020d09074b464d5f303031') && long.includes(power) && long.endsWith(phases), long);
    assert.ok(whole.includes('0212') && whole.includes(`06${hex(5_000_123, 4)}06${hex(70_000_456, 4)}`), whole);
    assert.ok(list(1800).includes('0212'));
  });

  test('Kamstrup counts in 10 Wh, 0.01 A and 1 V', () => {
    const list = (count: number) => informationOf(telegramOf('kamstrup', importing, count), 3);
    const [whole, usual] = [list(0), list(1)];
    for (const part of [
      '02190a0e4b616d73747275705f5630303031',
      `0101010700ff06${hex(3456, 4)}`,
      `01011f0700ff06${hex(746, 4)}`,
      `0101340700ff12${hex(229, 2)}`,
    ])
      assert.ok(usual.includes(part), `${part} is not in ${usual}`);
    assert.ok(!usual.includes('0101010800ff') && whole.includes(`0101010800ff06${hex(500_012, 4)}`), whole);
  });
});

/** Joins the content of M-Bus frames after checking their lengths and checksums. */
function apduOf(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const length = bytes[start + 1]!;
    const frame = bytes.subarray(start, start + length + 6);
    assert.deepEqual([frame[0], frame[2], frame[3], frame.at(-1)], [0x68, length, 0x68, 0x16]);
    const body = frame.subarray(4, -2);
    let sum = 0;
    for (const byte of body) sum += byte;
    assert.equal(frame.at(-2), sum % 256);
    const isLast = start + frame.length === bytes.length;
    assert.deepEqual([...body.subarray(0, 5)], [0x53, 0xff, (isLast ? 0x10 : 0) + parts.length, 0x01, 0x67]);
    parts.push(body.subarray(5));
    start += frame.length;
  }
  return Buffer.concat(parts);
}

suite('M-Bus telegrams', () => {
  const wanted = [
    `0100010800ff06${hex(5_000_123, 4)}02020f00161e`,
    `0100010700ff06${hex(3456, 4)}02020f00161b`,
    `0100200700ff12${hex(2315, 2)}02020fff1623`,
    `01001f0700ff12${hex(746, 2)}02020ffe1621`,
    '07e90701020c141effff8880', // 12:20:30, two hours ahead, summer
    Buffer.from('SIM200000009').toString('hex'),
  ];

  test('have time, serial number and powers with units when not encrypted', () => {
    const apdu = apduOf(telegramOf('mbus')).toString('hex');
    assert.ok(apdu.startsWith('0f8006870e0c07e9'), apdu);
    for (const part of wanted) assert.ok(apdu.includes(part), `${part} is not in ${apdu}`);
  });

  test('are encrypted as in Austria, in several frames', () => {
    const apdu = apduOf(telegramOf('mbus-encrypted', importing, 34));
    assert.deepEqual([apdu[0], apdu[1], apdu[10]], [0xdb, 8, 0x81]);
    assert.ok(apdu.length > 245, 'one frame would do');
    assert.equal(apdu[11], apdu.length - 12);
    assert.deepEqual([apdu[12], apdu.readUInt32BE(13)], [0x20, 35]);
    // Without its tag, GCM is counter mode, counting from 2.
    const block = Buffer.concat([apdu.subarray(2, 10), apdu.subarray(13, 17), Buffer.from([0, 0, 0, 2])]);
    const plain = createDecipheriv('aes-128-ctr', simKey, block).update(apdu.subarray(17)).toString('hex');
    assert.ok(plain.startsWith('0f8006870e0c07e9'), plain);
    for (const part of wanted) assert.ok(plain.includes(part), `${part} is not in ${plain}`);
  });
});
