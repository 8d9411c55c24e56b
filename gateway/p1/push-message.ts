import { readDateTime } from './date-time.ts';
import { scaled } from './decimal.ts';
import { type Data, readNotification } from './dlms.ts';
import type { P1Format, P1Frame } from './frame.ts';
import { codeOf, isOwn, meterValues, noReadings, parseCode, registerOf, type Unit } from './obis.ts';
import { codeText, numberLine, textLine } from './obis-line.ts';
import { type Entry, readPushList } from './push-list.ts';

const units: Record<number, Unit> = {
  27: 'W',
  28: 'VA',
  29: 'var',
  30: 'Wh',
  31: 'VAh',
  32: 'varh',
  33: 'A',
  35: 'V',
  44: 'Hz',
};

// What a count means where the meter sends no scaler, by the name of its list.
const vendors: { name: RegExp; exponents: Partial<Record<Unit, number>> }[] = [
  { name: /^KFM_/, exponents: { A: -3, V: -1 } },
  { name: /^Kamstrup_/i, exponents: { A: -2, Wh: 1, varh: 1 } },
];

const time = parseCode('1.0.0');
const listName = parseCode('0.2.129');
// Kamstrup has its type in 96.1.1 and its number in 0.0.5, hence the order.
const ids = ['0.0.5', '96.1.0', '96.1.1', '42.0.0', '0.0.1'].map(parseCode);

/** A data notification as a frame. `sender` is who it is when the message does not tell. */
export function readPushMessage(apdu: Uint8Array, format: P1Format, sender = ''): P1Frame {
  const notification = readNotification(apdu);
  const { entries, loose } = readPushList(notification.body);
  const texts = new Map<number, string>();
  const times = [notification.time, ...loose.map(octetsOf)].map((octets) => octets && readDateTime(octets));
  const list = nameOf(entries);
  const exponents = vendors.find(({ name }) => name.test(list))?.exponents ?? {};
  const readings = noReadings();

  const obis = entries.flatMap(({ obis, value, scaler, unit }) => {
    const [a, b, c, d, e] = obis as unknown as [number, number, number, number, number];
    const code = codeOf(c, d, e);
    const name = codeText(obis);
    if (value.is === 'octets') {
      const told = (code === time && readDateTime(value.bytes)) || undefined;
      if (told) times.unshift(told);
      const text = told ?? textOf(value.bytes);
      if (isOwn(a, b)) texts.set(code, text);
      return textLine(name, text);
    }
    if (value.is !== 'number') return [];
    const meant = unit === undefined ? unitOfCode(c, d) : units[unit];
    const exponent = scaler ?? (meant && exponents[meant]) ?? 0;
    const reading = scaled(value.value, exponent);
    if (reading === undefined) return [];
    const register = isOwn(a, b) ? registerOf(code) : undefined;
    if (register && register.unit === meant) readings[register.slot] = reading;
    if (isOwn(a, b) && !meant) texts.set(code, String(reading));
    return numberLine(name, reading, meant, exponent);
  });

  const meterTime = times.find(Boolean);
  return {
    format,
    device_id: ids.map((id) => texts.get(id)).find(Boolean) ?? looseText(loose) ?? sender,
    obis,
    meter: meterValues(readings),
    ...(meterTime && { meter_time: meterTime }),
  };
}

function nameOf(entries: readonly Entry[]): string {
  const octets = octetsOf(entries.find(({ obis }) => codeOf(obis[2]!, obis[3]!, obis[4]!) === listName)?.value);
  return octets ? textOf(octets) : '';
}

/** The codes of the phases follow those of the whole at a distance of 20, 40 and 60. */
function unitOfCode(c: number, d: number): Unit | undefined {
  if (d !== 7 && d !== 8) return undefined;
  const kind = c > 20 && c <= 80 ? ((c - 1) % 20) + 1 : c;
  const isEnergy = d === 8;
  if (kind === 1 || kind === 2 || kind === 16) return isEnergy ? 'Wh' : 'W';
  if (kind === 3 || kind === 4) return isEnergy ? 'varh' : 'var';
  if (kind === 9 || kind === 10) return isEnergy ? 'VAh' : 'VA';
  if (isEnergy) return undefined;
  return kind === 11 ? 'A' : kind === 12 ? 'V' : kind === 14 ? 'Hz' : undefined;
}

const octetsOf = (data: Data | undefined): Uint8Array | undefined => (data?.is === 'octets' ? data.bytes : undefined);

/** Text as it is, without the NULs that fill it up; what is no text in hex. */
function textOf(bytes: Uint8Array): string {
  let length = bytes.length;
  while (length > 0 && bytes[length - 1] === 0) length--;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const isText = buffer.subarray(0, length).every((byte) => byte >= 0x20 && byte < 0x7f);
  return isText ? buffer.toString('latin1', 0, length) : buffer.toString('hex');
}

/** Austrian lists end with the number of the meter, without a code. */
function looseText(loose: readonly Data[]): string | undefined {
  const last = octetsOf(loose.at(-1));
  return last && !readDateTime(last) && loose.length > 1 ? textOf(last) : undefined;
}
