import { unreadable } from './candidate.ts';
import { scaled } from './decimal.ts';
import type { P1Frame } from './frame.ts';
import { codeOf, isOwn, meterValues, noReadings, parseCode, registerOf, type Unit } from './obis.ts';

const time = parseCode('1.0.0');
const version = parseCode('0.2.8');
const belgianVersion = parseCode('96.1.4');
const ids = ['96.1.1', '96.1.0', '42.0.0'].map(parseCode);
const texts = new Set([time, version, belgianVersion, ...ids]);
const currentPeriod = 255;
const noCode = -1;

const char = (text: string): number => text.charCodeAt(0);
const lineFeed = char('\n');
const carriageReturn = char('\r');
const dash = char('-');
const colon = char(':');
const dot = char('.');
const star = char('*');
const plus = char('+');
const opening = char('(');
const closing = char(')');
const zero = char('0');
const nine = char('9');
const kilo = char('k');

/** What a telegram says. It reaches from the slash at `from` to before the exclamation mark at `to`. */
export function readTelegram(bytes: Buffer, from: number, to: number, isChecked: boolean): P1Frame {
  const telegram = bytes.toString('latin1', from, to);
  const readings = noReadings();
  const said = new Map<number, string>();
  const obis: string[] = [];
  const line = new Line(bytes);
  const header = lineEnd(telegram, 0);
  for (let at = header; at < telegram.length; ) {
    while (isLineEnd(bytes[from + at]!)) at++;
    const end = lineEnd(telegram, at);
    if (isDigit(bytes[from + at]!) && end > at) {
      obis.push(telegram.slice(at, end));
      const code = line.readCode(from + at, from + end);
      const register = registerOf(code);
      if (register) readings[register.slot] = line.readValue(register.unit) ?? Number.NaN;
      else if (texts.has(code)) said.set(code, telegram.slice(line.at - from, line.valueEnd() - from));
    }
    at = end;
  }
  if (!isChecked && (obis.length === 0 || mustBeChecked(said))) throw unreadable('the CRC is missing');

  const equipment = ids.map((id) => said.get(id)).find(Boolean);
  const meterTime = said.get(time);
  return {
    format: 'ascii',
    device_id: telegram.slice(1, header),
    obis,
    meter: meterValues(readings),
    ...(equipment && { equipment_id: textOfHex(equipment) }),
    ...(meterTime && { meter_time: meterTime }),
  };
}

/** With DSMR 4 came the version, the season behind the time, and the CRC: where one is, the others must be. */
function mustBeChecked(said: ReadonlyMap<number, string>): boolean {
  return said.has(version) || said.has(belgianVersion) || /[SW]$/.test(said.get(time) ?? '');
}

/** `A-B:C.D.E*F(value*unit)`; of several values in a row the first counts. */
class Line {
  private readonly bytes: Uint8Array;
  private end = 0;
  /** where the value begins once the code is read */
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** The code of a line that is about this meter and about now. */
  readCode(from: number, end: number): number {
    this.at = from;
    this.end = end;
    const a = this.number(dash);
    const b = this.number(colon);
    const c = this.number(dot);
    const d = this.number(dot);
    const e = this.number(0);
    if (this.bytes[this.at] === star) {
      this.at++;
      if (this.number(0) !== currentPeriod) return noCode;
    }
    if (a < 0 || b < 0 || c < 0 || d < 0 || e < 0 || this.bytes[this.at++] !== opening) return noCode;
    const code = codeOf(c, d, e);
    return isOwn(a, b) || code === version ? code : noCode;
  }

  /** A number with its unit, of which k is a thousand: kW and W, kWh and Wh. */
  readValue(unit: Unit): number | undefined {
    const { bytes, end } = this;
    let at = this.at;
    const isNegative = bytes[at] === dash;
    if (isNegative || bytes[at] === plus) at++;
    let mantissa = 0;
    let digits = 0;
    let wholeDigits = -1;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      if (isDigit(byte)) {
        mantissa = mantissa * 10 + byte - zero;
        digits++;
      } else if (byte === dot && wholeDigits < 0) wholeDigits = digits;
      else break;
    }
    if (digits === 0 || bytes[at++] !== star) return undefined;
    let exponent = wholeDigits < 0 ? 0 : wholeDigits - digits;
    if (lowerCase(bytes[at]!) === kilo) {
      exponent += 3;
      at++;
    }
    for (let index = 0; index < unit.length; index++) {
      if (lowerCase(bytes[at++]!) !== lowerCase(unit.charCodeAt(index))) return undefined;
    }
    if (at >= end || bytes[at] !== closing) return undefined;
    return scaled(isNegative ? -mantissa : mantissa, exponent);
  }

  valueEnd(): number {
    let at = this.at;
    while (at < this.end && this.bytes[at] !== closing) at++;
    return at;
  }

  /** Up to three digits, and what must follow them; negative when it is not so. */
  private number(behind: number): number {
    const { bytes } = this;
    const first = this.at;
    let value = 0;
    while (isDigit(bytes[this.at]!)) value = value * 10 + bytes[this.at++]! - zero;
    if (this.at === first || this.at > first + 3) return -1;
    return behind === 0 || bytes[this.at++] === behind ? value : -1;
  }
}

/** Numbers of meters are sent as the hex of their text; what is no such hex is the number itself. */
function textOfHex(hex: string): string {
  if (hex.length % 2 !== 0 || !/^[0-9A-Fa-f]+$/.test(hex)) return hex;
  const text = Buffer.from(hex, 'hex').toString('latin1');
  return /^[\x20-\x7e]+$/.test(text) ? text : hex;
}

/** Lines end with CR LF. */
function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  if (at < 0) return text.length;
  return text.charCodeAt(at - 1) === carriageReturn ? at - 1 : at;
}

const isLineEnd = (byte: number): boolean => byte === lineFeed || byte === carriageReturn;
const isDigit = (byte: number): boolean => byte >= zero && byte <= nine;
const lowerCase = (byte: number): number => byte | 0x20;
