import { type Data, enumType, int8Type, readNotification, uint16Type } from './dlms.ts';
import type { P1Format, P1Frame } from './frame.ts';
import {
  createRegisterValues,
  isOwnElectricity,
  meterValues,
  numberLine,
  registerOf,
  scaled,
  textLine,
  type Unit,
} from './obis.ts';

/** One object of a list: its code, its value, and its scaler and unit if the meter sends them. */
type Entry = { obis: Uint8Array; value: Data; scaler?: number; unit?: number };

type PushList = {
  entries: Entry[];
  /** values without a code */
  loose: Data[];
};

/** Reads the objects of a message, in any of the vendors' structures. */
function readPushList(body: Data): PushList {
  const list: PushList = { entries: [], loose: [] };
  if (body.is === 'list') collect(withCodes(body.items) ?? withListName(body.items), list);
  return list;
}

/** Adds the missing code before the list name of Kamstrup, which comes first. */
function withListName(items: readonly Data[]): readonly Data[] {
  const [first, second] = items;
  const isName = first?.is === 'octets' && !isObis(first.bytes) && first.bytes.includes(0x5f); // Kamstrup_V0001
  const isBeforeCode = second?.is === 'octets' && isObis(second.bytes);
  return isName && isBeforeCode ? [{ is: 'octets', bytes: obisOf('1-1:0.2.129') }, ...items] : items;
}

function collect(items: readonly Data[], list: PushList): void {
  const columns = columnsOf(items[0]);
  if (columns) {
    collectColumns(columns, items, list);
    return;
  }
  let next = 0;
  for (const [index, item] of items.entries()) {
    if (index < next) continue;
    if (item.is === 'list') collect(item.items, list);
    else if (item.is === 'octets' && isObis(item.bytes)) {
      const scale = scaleOf(items[index + 2]);
      const value = items[index + 1];
      if (value) list.entries.push({ obis: item.bytes, value, ...scale });
      next = index + (scale ? 3 : 2);
    } else list.loose.push(item);
  }
}

const isObis = (bytes: Uint8Array): boolean =>
  bytes.length === 6 && bytes[5] === 0xff && (bytes[0] === 0 || bytes[0] === 1);

/** Reads { scaler, unit } after a value. */
function scaleOf(data: Data | undefined): { scaler: number; unit: number } | undefined {
  if (data?.is !== 'list' || data.items.length !== 2) return undefined;
  const [scaler, unit] = data.items;
  if (scaler?.is !== 'number' || scaler.type !== int8Type) return undefined;
  if (unit?.is !== 'number' || unit.type !== enumType) return undefined;
  return { scaler: scaler.value, unit: unit.value };
}

/** Landis+Gyr E450: the first item lists { class, OBIS, attribute, index } of all items, including itself. */
function columnsOf(data: Data | undefined): Uint8Array[] | undefined {
  if (data?.is !== 'list' || data.items.length === 0) return undefined;
  const columns: Uint8Array[] = [];
  for (const item of data.items) {
    if (item.is !== 'list' || item.items.length !== 4) return undefined;
    const [type, obis, attribute] = item.items;
    if (type?.is !== 'number' || type.type !== uint16Type || obis?.is !== 'octets') return undefined;
    if (attribute?.is !== 'number' || attribute.type !== int8Type) return undefined;
    columns.push(obis.bytes);
  }
  return columns;
}

function collectColumns(columns: readonly Uint8Array[], items: readonly Data[], list: PushList): void {
  if (columns.length !== items.length) return;
  for (const [index, value] of items.entries()) {
    const obis = columns[index];
    if (index > 0 && obis) list.entries.push({ obis, value });
  }
}

// Norwegian Kaifa meters send values in a fixed order without codes, in lists of 1, 9, 13, 14 or 18; 9 and 14 are single-phase.
const named = ['1-1:0.2.129', '0-0:96.1.0', '0-0:96.1.7'];
const powers = ['1-0:1.7.0', '1-0:2.7.0', '1-0:3.7.0', '1-0:4.7.0'];
const onePhase = ['1-0:31.7.0', '1-0:32.7.0'];
const threePhases = ['1-0:31.7.0', '1-0:51.7.0', '1-0:71.7.0', '1-0:32.7.0', '1-0:52.7.0', '1-0:72.7.0'];
const hourly = ['0-0:1.0.0', '1-0:1.8.0', '1-0:2.8.0', '1-0:3.8.0', '1-0:4.8.0'];
const orders = new Map(
  [
    ['1-0:1.7.0'],
    [...named, ...powers, ...onePhase],
    [...named, ...powers, ...threePhases],
    [...named, ...powers, ...onePhase, ...hourly],
    [...named, ...powers, ...threePhases, ...hourly],
  ].map((codes) => [codes.length, codes.map(obisOf)]),
);

/** Adds the missing codes to a list in fixed order. */
function withCodes(items: readonly Data[]): Data[] | undefined {
  const codes = orders.get(items.length);
  if (!codes || items.some((item) => item.is === 'list' || (item.is === 'octets' && isObis(item.bytes))))
    return undefined;
  const [first, , , fourth] = items;
  if (items.length > 1 ? first?.is !== 'octets' || fourth?.is !== 'number' : first?.is !== 'number') return undefined;
  return codes.flatMap((bytes, index): Data[] => {
    const item = items[index];
    return item ? [{ is: 'octets', bytes }, item] : [];
  });
}

function obisOf(text: string): Uint8Array {
  return Uint8Array.from([...text.split(/[-:.]/).map(Number), 0xff]);
}

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

// Exponents of meters that send no scaler, by the name of their list.
const vendors: { name: RegExp; exponents: Partial<Record<Unit, number>> }[] = [
  { name: /^KFM_/, exponents: { A: -3, V: -1 } },
  { name: /^Kamstrup_/i, exponents: { A: -2, Wh: 1, varh: 1 } },
];

const time = '1.0.0';
const listName = '0.2.129';
// In this order, because Kamstrup sends its type in 96.1.1 and its serial number in 0.0.5.
const ids = ['0.0.5', '96.1.0', '96.1.1', '42.0.0', '0.0.1'];

/** Reads a data notification. `sender` is the id of the meter, unless the message contains one. */
export function readPushMessage(apdu: Uint8Array, format: P1Format, sender = ''): P1Frame {
  const notification = readNotification(apdu);
  const { entries, loose } = readPushList(notification.body);
  const texts = new Map<string, string>();
  const times = [notification.time, ...loose.map(octetsOf)].map((octets) => octets && readDateTime(octets));
  const list = nameOf(entries);
  const exponents = vendors.find(({ name }) => name.test(list))?.exponents ?? {};
  const readings = createRegisterValues();

  const obis = entries.flatMap(({ obis, value, scaler, unit }) => {
    const [a, b, c = 0, d = 0, e] = obis;
    const code = `${c}.${d}.${e}`;
    const medium = `${a}-${b}`;
    const name = `${medium}:${code}`;
    const isOwn = isOwnElectricity(medium);
    if (value.is === 'octets') {
      const dateTime = (code === time && readDateTime(value.bytes)) || undefined;
      if (dateTime) times.unshift(dateTime);
      const text = dateTime ?? textOf(value.bytes);
      if (isOwn) texts.set(code, text);
      return textLine(name, text);
    }
    if (value.is !== 'number') return [];
    const meterUnit = unit === undefined ? unitOfCode(c, d) : units[unit];
    const exponent = scaler ?? (meterUnit && exponents[meterUnit]) ?? 0;
    const reading = scaled(value.value, exponent);
    if (reading === undefined) return [];
    const register = isOwn ? registerOf(code) : undefined;
    if (register && register.unit === meterUnit) readings[register.slot] = reading;
    if (isOwn && !meterUnit) texts.set(code, String(reading));
    return numberLine(name, reading, meterUnit, exponent);
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
  const entry = entries.find(({ obis: [, , c, d, e] }) => `${c}.${d}.${e}` === listName);
  const octets = octetsOf(entry?.value);
  return octets ? textOf(octets) : '';
}

/** Derives the unit from the code. The codes of the phases are those of the total plus 20, 40 and 60. */
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

/** Decodes text without trailing NULs; other bytes as hex. */
function textOf(bytes: Uint8Array): string {
  let length = bytes.length;
  while (length > 0 && bytes[length - 1] === 0) length--;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const isText = buffer.subarray(0, length).every((byte) => byte >= 0x20 && byte < 0x7f);
  return isText ? buffer.toString('latin1', 0, length) : buffer.toString('hex');
}

/** Austrian lists end with the serial number of the meter, without a code. */
function looseText(loose: readonly Data[]): string | undefined {
  const last = octetsOf(loose.at(-1));
  return last && !readDateTime(last) && loose.length > 1 ? textOf(last) : undefined;
}

const unknownDeviation = -0x8000;

/** Reads year (2), month, day, weekday, hour, minute, second, hundredths, deviation (2), status; undefined if invalid. */
function readDateTime(bytes: Uint8Array): string | undefined {
  if (bytes.length !== 12) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const year = view.getUint16(0);
  const [, , month = 0, day = 0, , hour = 0, minute = 0, second = 0] = bytes;
  if (year < 1990 || year > 2200 || month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const deviation = view.getInt16(9);
  return `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}${offsetOf(deviation)}`;
}

/** The deviation is the difference from local time to UTC in minutes: -60 is UTC+1. */
function offsetOf(deviation: number): string {
  if (deviation === unknownDeviation || Math.abs(deviation) > 720) return '';
  const minutes = Math.abs(deviation);
  return `${deviation > 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

const two = (number: number): string => String(number).padStart(2, '0');
