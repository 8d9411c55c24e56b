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

/** Reads a telegram, from the slash at `from` up to the exclamation mark at `to`. */
export function readTelegram(bytes: Buffer, from: number, to: number, isChecked: boolean): P1Frame {
  const telegram = bytes.toString('latin1', from, to);
  const readings = createRegisterValues();
  const found = new Map<number, string>();
  const obis: string[] = [];
  const line = new Line(bytes);
  const header = lineEnd(telegram, 0);
  for (let at = header; at < telegram.length; ) {
    while (isLineEnd(bytes[from + at])) at++;
    const end = lineEnd(telegram, at);
    if (isDigit(bytes[from + at]) && end > at) {
      obis.push(telegram.slice(at, end));
      const code = line.readCode(from + at, from + end);
      const register = registerOf(code);
      if (register) readings[register.slot] = line.readValue(register.unit) ?? Number.NaN;
      else if (texts.has(code)) found.set(code, telegram.slice(line.at - from, line.valueEnd() - from));
    }
    at = end;
  }
  if (!isChecked && (obis.length === 0 || mustBeChecked(found))) throw unreadable('the CRC is missing');

  const equipment = ids.map((id) => found.get(id)).find(Boolean);
  const meterTime = found.get(time);
  return {
    format: 'ascii',
    device_id: telegram.slice(1, header),
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

/** Reads `A-B:C.D.E*F(value*unit)`; the first of several values is used. */
class Line {
  readonly #bytes: Uint8Array;
  #end = 0;
  /** position of the value, after the code was read */
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Returns the code of a line; -1 if it belongs to another meter or billing period. */
  readCode(from: number, end: number): number {
    this.at = from;
    this.#end = end;
    const a = this.#number(dash);
    const b = this.#number(colon);
    const c = this.#number(dot);
    const d = this.#number(dot);
    const e = this.#number(0);
    if (this.#bytes[this.at] === star) {
      this.at++;
      if (this.#number(0) !== currentPeriod) return noCode;
    }
    if (a < 0 || b < 0 || c < 0 || d < 0 || e < 0 || this.#bytes[this.at++] !== opening) return noCode;
    const code = codeOf(c, d, e);
    return isOwnElectricity(a, b) || code === version ? code : noCode;
  }

  /** Reads a number in this unit, with or without the prefix k. */
  readValue(unit: Unit): number | undefined {
    const bytes = this.#bytes;
    const end = this.#end;
    let at = this.at;
    const isNegative = bytes[at] === dash;
    if (isNegative || bytes[at] === plus) at++;
    let mantissa = 0;
    let digits = 0;
    let wholeDigits = -1;
    for (; at < end; at++) {
      const byte = bytes[at];
      if (isDigit(byte)) {
        mantissa = mantissa * 10 + byte - zero;
        digits++;
      } else if (byte === dot && wholeDigits < 0) wholeDigits = digits;
      else break;
    }
    if (digits === 0 || bytes[at++] !== star) return undefined;
    let exponent = wholeDigits < 0 ? 0 : wholeDigits - digits;
    if (lowerCase(bytes[at]) === kilo) {
      exponent += 3;
      at++;
    }
    for (let index = 0; index < unit.length; index++) {
      if (lowerCase(bytes[at++]) !== lowerCase(unit.charCodeAt(index))) return undefined;
    }
    if (at >= end || bytes[at] !== closing) return undefined;
    return scaled(isNegative ? -mantissa : mantissa, exponent);
  }

  valueEnd(): number {
    let at = this.at;
    while (at < this.#end && this.#bytes[at] !== closing) at++;
    return at;
  }

  /** Reads up to three digits and the required next character; returns -1 if they do not match. */
  #number(next: number): number {
    const bytes = this.#bytes;
    const first = this.at;
    let value = 0;
    for (let byte = bytes[this.at]; isDigit(byte); byte = bytes[++this.at]) value = value * 10 + byte - zero;
    if (this.at === first || this.at > first + 3) return -1;
    return next === 0 || bytes[this.at++] === next ? value : -1;
  }
}

/** Decodes a serial number that is sent as hex of its text; returns other numbers unchanged. */
function textOfHex(hex: string): string {
  if (hex.length % 2 !== 0 || !/^[0-9A-Fa-f]+$/.test(hex)) return hex;
  const text = Buffer.from(hex, 'hex').toString('latin1');
  return /^[\x20-\x7e]+$/.test(text) ? text : hex;
}

/** Finds the end of a line (CR LF). */
function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  if (at < 0) return text.length;
  return text.charCodeAt(at - 1) === carriageReturn ? at - 1 : at;
}

const isLineEnd = (byte: number | undefined): boolean => byte === lineFeed || byte === carriageReturn;
const isDigit = (byte: number | undefined): byte is number => byte !== undefined && byte >= zero && byte <= nine;
const lowerCase = (byte = 0): number => byte | 0x20;
