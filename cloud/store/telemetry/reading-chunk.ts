import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { isCounter } from '#contract/telemetry.ts';
import { ByteReader, ByteWriter } from './columns/bytes.ts';
import { readInstants, writeInstants } from './columns/instants.ts';
import { readNumbers, writeNumbers } from './columns/numbers.ts';
import { byDependence, type Columns } from './columns/relatives.ts';
import { noReadings, type Readings } from './readings.ts';

type Fields = ReadonlySet<string> | undefined;

// Noise repeats itself by chance, and briefly: to tell where would take more than to tell it again.
const params = { [constants.ZSTD_c_minMatch]: 7 };

/** How much time goes into making them small: readings that are soon encoded again need not be. */
type Effort = 'much' | 'little';

/** Readings, and of those that follow them the counters, which tell what was a glitch at their end. */
export function encodeReadings(readings: Readings, after = noReadings, effort: Effort = 'much'): Uint8Array {
  const to = new ByteWriter();
  writeReadings(to, readings, effort);
  const counters = [...after.fields].filter(([name]) => isCounter(name));
  if (counters.length > 0) writeReadings(to, { at: after.at, fields: new Map(counters) }, effort);
  return zstdCompressSync(to.done(), { params });
}

export const decodeReadings = (body: Uint8Array, only?: Fields): Readings =>
  readReadings(new ByteReader(zstdDecompressSync(body)), only);

export function decodeWithAfter(body: Uint8Array, only?: Fields): { readings: Readings; after: Readings } {
  const from = new ByteReader(zstdDecompressSync(body));
  const readings = readReadings(from, only);
  return { readings, after: from.isAtEnd() ? noReadings : readReadings(from, only) };
}

function writeReadings(to: ByteWriter, { at, fields }: Readings, effort: Effort): void {
  to.integer(at.length);
  writeInstants(to, at);
  to.integer(fields.size);
  const before = new Map<string, Float64Array>();
  const values = new ByteWriter();
  for (const name of [...fields.keys()].sort(byDependence)) {
    const column = fields.get(name)!;
    values.clear();
    writeNumbers(values, column, name, before);
    to.string(name);
    to.integer(values.done().length);
    to.block(values.done());
    if (effort === 'much') before.set(name, column); // what is not there foretells nothing
  }
}

/** Decodes the fields asked for, and those they are told from. */
function readReadings(from: ByteReader, only: Fields): Readings {
  const length = from.integer();
  const at = readInstants(from, length);
  const blocks = new Map<string, Uint8Array>();
  for (let left = from.integer(); left > 0; left--) blocks.set(from.string(), from.block(from.integer()));
  const decoded = new Map<string, Float64Array>();
  const columns: Columns = {
    get(name) {
      const block = blocks.get(name);
      if (!block || decoded.has(name)) return decoded.get(name);
      const column = readNumbers(new ByteReader(block), length, name, columns);
      decoded.set(name, column);
      return column;
    },
  };
  const asked = [...blocks.keys()].filter((name) => !only || only.has(name));
  return { at, fields: new Map(asked.map((name) => [name, columns.get(name)!])) };
}
