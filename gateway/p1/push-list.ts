import { type Data, enumType, int8Type, uint16Type } from './dlms.ts';

/** One object of a list: its code, what it says, and how it is scaled when the meter tells. */
export type Entry = { obis: Uint8Array; value: Data; scaler?: number; unit?: number };

export type PushList = {
  entries: Entry[];
  /** what stands in the list without a code */
  loose: Data[];
};

/** The objects of a message, in whatever shape the vendor sends them. */
export function readPushList(body: Data): PushList {
  const list: PushList = { entries: [], loose: [] };
  if (body.is === 'list') gather(inOrder(body.items) ?? withListName(body.items), list);
  return list;
}

/** Kamstrup has the name of its list first, without a code; others have it among the rest. */
function withListName(items: readonly Data[]): readonly Data[] {
  const [first, second] = items;
  const isName = first?.is === 'octets' && !isObis(first.bytes) && first.bytes.includes(0x5f); // Kamstrup_V0001
  const isFollowed = second?.is === 'octets' && isObis(second.bytes);
  return isName && isFollowed ? [{ is: 'octets', bytes: obisOf('1-1:0.2.129') }, ...items] : items;
}

function gather(items: readonly Data[], list: PushList): void {
  const columns = columnsOf(items[0]);
  if (columns) {
    gatherColumns(columns, items, list);
    return;
  }
  for (let index = 0; index < items.length; index++) {
    const item = items[index]!;
    if (item.is === 'list') gather(item.items, list);
    else if (item.is === 'octets' && isObis(item.bytes)) {
      const scale = scaleOf(items[index + 2]);
      const value = items[index + 1];
      if (value) list.entries.push({ obis: item.bytes, value, ...scale });
      index += scale ? 2 : 1;
    } else list.loose.push(item);
  }
}

const isObis = (bytes: Uint8Array): boolean => bytes.length === 6 && bytes[5] === 0xff && bytes[0]! < 2;

/** { scaler, unit } behind a value. */
function scaleOf(data: Data | undefined): { scaler: number; unit: number } | undefined {
  if (data?.is !== 'list' || data.items.length !== 2) return undefined;
  const [scaler, unit] = data.items;
  if (scaler!.is !== 'number' || scaler!.type !== int8Type) return undefined;
  if (unit!.is !== 'number' || unit!.type !== enumType) return undefined;
  return { scaler: scaler!.value, unit: unit!.value };
}

/** Landis+Gyr E450: a list of { class, OBIS, attribute, index } comes first, and is itself the first of what it lists. */
function columnsOf(data: Data | undefined): Uint8Array[] | undefined {
  if (data?.is !== 'list' || data.items.length === 0) return undefined;
  const columns: Uint8Array[] = [];
  for (const item of data.items) {
    if (item.is !== 'list' || item.items.length !== 4) return undefined;
    const [type, obis, attribute] = item.items;
    if (type!.is !== 'number' || type!.type !== uint16Type || obis!.is !== 'octets') return undefined;
    if (attribute!.is !== 'number' || attribute!.type !== int8Type) return undefined;
    columns.push(obis!.bytes);
  }
  return columns;
}

function gatherColumns(columns: readonly Uint8Array[], items: readonly Data[], list: PushList): void {
  if (columns.length !== items.length) return;
  for (let index = 1; index < items.length; index++) {
    list.entries.push({ obis: columns[index]!, value: items[index]! });
  }
}

// Kaifa in Norway sends values in a fixed order without codes, lists of 1, 9, 13, 14 or 18; the shorter of them have one phase.
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

/** The codes that a list in fixed order leaves out, put in. */
function inOrder(items: readonly Data[]): Data[] | undefined {
  const codes = orders.get(items.length);
  if (!codes || items.some((item) => item.is === 'list' || (item.is === 'octets' && isObis(item.bytes))))
    return undefined;
  if (items.length > 1 ? items[0]!.is !== 'octets' || items[3]!.is !== 'number' : items[0]!.is !== 'number')
    return undefined;
  return items.flatMap((item, index): Data[] => [{ is: 'octets', bytes: codes[index]! }, item]);
}

function obisOf(text: string): Uint8Array {
  return Uint8Array.from([...text.split(/[-:.]/).map(Number), 0xff]);
}
