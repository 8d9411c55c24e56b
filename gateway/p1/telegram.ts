import { type P1Frame, unreadable } from './frame.ts';
import { createRegisterValues, isOwnElectricity, meterValues, registerOf, scaled, type Unit } from './obis.ts';

const time = '1.0.0';
const version = '0.2.8';
const belgianVersion = '96.1.4';
const ids = ['96.1.1', '96.1.0', '42.0.0'];
const texts = new Set([time, version, belgianVersion, ...ids]);

const leadingZeros = /\b0+(?=\d)/g; // some meters write 1-0:01.08.00

/** Reads a telegram, from the slash at `from` up to the exclamation mark at `to`. */
export function readTelegram(bytes: Buffer, from: number, to: number, isChecked: boolean): P1Frame {
  const [header = '', ...lines] = bytes.toString('latin1', from, to).split(/\r?\n[\r\n]*/);
  const obis = lines.filter((line) => line >= '0' && line < ':'); // they start with a digit
  const readings = createRegisterValues();
  const found = new Map<string, string>();
  for (const set of obis.flatMap(dataSetsOf)) {
    // A-B:C.D.E*F(value); F is 255 for the current billing period, and the first of several values is used.
    const opening = set.indexOf('(');
    const closing = set.indexOf(')', opening);
    const [medium = '', code = ''] = set
      .slice(0, opening)
      .replace(/\*255$/, '')
      .replace(leadingZeros, '')
      .split(':');
    if (opening < 0 || (!isOwnElectricity(medium) && code !== version)) continue;
    const value = set.slice(opening + 1, closing < 0 ? undefined : closing);
    const register = registerOf(code);
    if (register) readings[register.slot] = closing < 0 ? Number.NaN : numberOf(value, register.unit);
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

const nextSet = /(?<=\))(?=\d)/;

/** Returns the data sets of a line: 1-0:1.7.0(0.5*kW)1-0:2.7.0(0*kW) has two. */
const dataSetsOf = (line: string): string[] => line.split(nextSet);

/** DSMR 4 introduced the version, the season after the time, and the CRC: a telegram with one of them needs all. */
function mustBeChecked(found: ReadonlyMap<string, string>): boolean {
  return found.has(version) || found.has(belgianVersion) || /[SW]$/.test(found.get(time) ?? '');
}

const numberForm = /^([+-]?)(\d*)(?:\.(\d*))?\*(k?)([a-z]+)$/i;

/** Reads a number in this unit, with or without the prefix k; NaN otherwise. */
function numberOf(value: string, unit: Unit): number {
  const [, sign, whole = '', fraction = '', kilo, name = ''] = numberForm.exec(value) ?? [];
  const digits = whole + fraction;
  if (digits === '' || (name !== unit && name.toLowerCase() !== unit.toLowerCase())) return Number.NaN;
  return scaled(Number(sign === '-' ? `-${digits}` : digits), (kilo ? 3 : 0) - fraction.length) ?? Number.NaN;
}

/** Decodes a serial number that is sent as hex of its text; returns other numbers unchanged. */
function textOfHex(hex: string): string {
  if (hex.length % 2 !== 0 || !/^[0-9A-Fa-f]+$/.test(hex)) return hex;
  const text = Buffer.from(hex, 'hex').toString('latin1');
  return /^[\x20-\x7e]+$/.test(text) ? text : hex;
}
