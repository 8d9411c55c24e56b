import { type Data, enumType, int8Type, uint16Type } from './dlms.ts';

/** One object of a list: its code, its value, and its scaler and unit if the meter sends them. */
export type Entry = { obis: Uint8Array; value: Data; scaler?: number; unit?: number };

type PushList = {
  entries: Entry[];
  /** values without a code */
  loose: Data[];
};

/** Reads the objects of a message, in any of the vendors' structures. */
export function readPushList(body: Data): PushList {
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
