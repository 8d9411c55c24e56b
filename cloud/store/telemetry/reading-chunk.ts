import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { ByteReader, ByteWriter } from './columns/bytes.ts';
import { readInstants, writeInstants } from './columns/instants.ts';
import { readNumbers, writeNumbers } from './columns/numbers.ts';
import { byDependence } from './columns/relatives.ts';
import type { Readings } from './readings.ts';

export function encodeReadings({ at, fields }: Readings): Uint8Array {
  const to = new ByteWriter();
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
    before.set(name, column);
  }
  return zstdCompressSync(to.done());
}

export function decodeReadings(body: Uint8Array, only?: ReadonlySet<string>): Readings {
  const from = new ByteReader(zstdDecompressSync(body));
  const length = from.integer();
  const at = readInstants(from, length);
  const fields = new Map<string, Float64Array>();
  for (let left = from.integer(); left > 0; left--) {
    const name = from.string();
    const values = new ByteReader(from.block(from.integer()));
    fields.set(name, readNumbers(values, length, name, fields));
  }
  if (only) for (const name of fields.keys()) if (!only.has(name)) fields.delete(name);
  return { at, fields };
}
