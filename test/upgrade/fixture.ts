import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { hourMs } from '#contract/time.ts';
import type { Wire } from './wire.ts';

/** Days on which 0.1.0 ran: its homes are set up, and readings of the days until the end are stored. */
export const setUpAt = Date.parse('2026-11-10T06:00:00Z');
export const endAt = Date.parse('2026-11-13T09:30:00Z');
/** The time at which the next version is started. */
export const upgradeAt = endAt + hourMs / 2;

/** The address in challenges and tokens, whatever port the platform listens on. */
export const publicUrl = 'https://energy.test';

/** A GET request for the history of a DER, with its answer. */
export type Samples = { path: string; body: unknown };

export type Recorded = {
  /** PEM */
  people: Record<'ada' | 'bo' | 'cleo', { key: string; token: string }>;
  /** answers to GET requests, by a person or without a token */
  answers: { as?: 'ada' | 'bo' | 'cleo'; path: string; body: unknown }[];
  /** a creation with this Idempotency-Key, shortly before the end */
  repeated: { key: string; path: string; body: object; reply: unknown };
  application: { id: string; secret: string; access: string; refresh: string };
  gateway: { serial: string; samples: Samples[]; wire: Wire };
};

const archive = join(import.meta.dirname, '0.1.0.tar.br');

/** Unpacks the data of 0.1.0, which `record.ts` made, into the folders `sqlite` and `postgres`. */
export function unpack(folder: string): void {
  execFileSync('tar', ['xpf', '-', '-C', folder], { input: brotliDecompressSync(readFileSync(archive)) });
}

/** The window covers both databases, whose answers are nearly the same. */
export function pack(tar: string): void {
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS };
  writeFileSync(archive, brotliCompressSync(readFileSync(tar), { params }));
}

export const recorded = (folder: string, engine: string): Recorded =>
  JSON.parse(readFileSync(join(folder, engine, 'recorded.json'), 'utf8')) as Recorded;
