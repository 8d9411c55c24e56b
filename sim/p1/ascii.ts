import { crc16 } from '../crc16.ts';
import { localTime } from './local-time.ts';

/** An ASCII telegram; from DSMR 4 on it ends with a checksum over everything from the slash to the exclamation mark. */
export function telegram(identification: string, lines: readonly string[], { hasCrc = true } = {}): Buffer {
  const body = `/${identification}\r\n\r\n${lines.map((line) => `${line}\r\n`).join('')}!`;
  const crc = crc16(Buffer.from(body, 'latin1'), 0xa001, 0).toString(16).toUpperCase().padStart(4, '0');
  return Buffer.from(`${body}${hasCrc ? crc : ''}\r\n`, 'latin1');
}

/** With leading zeros, as meters write numbers: digits before and behind the point. */
export function digits(value: number, before: number, behind: number): string {
  const length = before + (behind ? behind + 1 : 0);
  return value.toFixed(behind).padStart(length, '0');
}

export function timestamp(at: number): string {
  const { year, month, day, hour, minute, second, isSummer } = localTime(at);
  const parts = [year % 100, month, day, hour, minute, second];
  return parts.map((part) => String(part).padStart(2, '0')).join('') + (isSummer ? 'S' : 'W');
}

/** Equipment numbers travel as the hex of their characters. */
export const hexText = (text: string): string => Buffer.from(text, 'latin1').toString('hex').toUpperCase();
