import { type P1Frame, unreadable } from './frame.ts';
import {
  codeOf,
  createRegisterValues,
  isOwnElectricity,
  meterValues,
  parseCode,
  registerOf,
  scaled,
  type Unit,
} from './obis.ts';

const time = parseCode('1.0.0');
const version = parseCode('0.2.8');
const belgianVersion = parseCode('96.1.4');
const ids = ['96.1.1', '96.1.0', '42.0.0'].map(parseCode);
const texts = new Set([time, version, belgianVersion, ...ids]);

/** Matches `A-B:C.D.E*F(value)`, of the current billing period; the first of several values is used. */
const lineForm = /^(\d{1,3})-(\d{1,3}):(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?:\*255)?\(([^)]*)(\)?)/;
const numberForm = /^([+-]?)(\d*)(?:\.(\d*))?\*(\w+)$/;

/** Reads a telegram, from the slash at `from` up to the exclamation mark at `to`. */
export function readTelegram(bytes: Buffer, from: number, to: number, isChecked: boolean): P1Frame {
  const [header = '', ...lines] = bytes.toString('latin1', from, to).split(/\r?\n[\r\n]*/);
  const obis = lines.filter((line) => /^\d/.test(line));
  const readings = createRegisterValues();
  const found = new Map<number, string>();
  for (const line of obis) {
    const [, a, b, c, d, e, value, end] = lineForm.exec(line) ?? [];
    if (value === undefined) continue;
    const code = codeOf(Number(c), Number(d), Number(e));
    if (!isOwnElectricity(Number(a), Number(b)) && code !== version) continue;
    const register = registerOf(code);
    if (register) readings[register.slot] = end ? numberOf(value, register.unit) : Number.NaN;
    else if (texts.has(code)) found.set(code, value);
  }
  if (!isChecked && (obis.length === 0 || mustBeChecked(found))) throw unreadable('the CRC is missing');

  const equipment = ids.map((id) => found.get(id)).find(Boolean);
  const meterTime = found.get(time);
  return {
    format: 'ascii',
    device_id: header.slice(1),
    obis,
    meter: meterValues(readings),
    ...(equipment && { equipment_id: textOfHex(equipment) }),
    ...(meterTime && { meter_time: meterTime }),
  };
}

/** DSMR 4 introduced the version, the season after the time, and the CRC: a telegram with one of them needs all. */
function mustBeChecked(found: ReadonlyMap<number, string>): boolean {
  return found.has(version) || found.has(belgianVersion) || /[SW]$/.test(found.get(time) ?? '');
}

/** Reads a number in this unit, with or without the prefix k; NaN otherwise. */
function numberOf(value: string, unit: Unit): number {
  const [, sign, whole = '', fraction = '', name = ''] = numberForm.exec(value) ?? [];
  const kilo = /^k/i.test(name) ? 3 : 0;
  const digits = whole + fraction;
  if (digits === '' || name.slice(kilo && 1).toLowerCase() !== unit.toLowerCase()) return Number.NaN;
  return scaled(Number(`${sign}${digits}`), kilo - fraction.length) ?? Number.NaN;
}

/** Decodes a serial number that is sent as hex of its text; returns other numbers unchanged. */
function textOfHex(hex: string): string {
  if (hex.length % 2 !== 0 || !/^[0-9A-Fa-f]+$/.test(hex)) return hex;
  const text = Buffer.from(hex, 'hex').toString('latin1');
  return /^[\x20-\x7e]+$/.test(text) ? text : hex;
}
