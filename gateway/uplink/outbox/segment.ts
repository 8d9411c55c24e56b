import { type FileHandle, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { syncPath, writeAtomic } from '#lib/atomic-file.ts';
import { errorCode } from '#lib/error-code.ts';
import type { Logger } from '#lib/log.ts';
import { type SeqRange, SeqRanges } from './seq-ranges.ts';

/** A queued sample: `source` is the device and DER part of its topic, `json` the payload. */
export type Sample = { seq: number; source: string; json: string };

/** The last line of a finished file: the queued numbers and the time range, so that a start need not read the whole file. */
type Footer = { waiting: SeqRange[]; from: number; to: number };

// Each line is crc32, source, JSON, so that damage is limited to one line. A footer has this source.
const footerSource = '#';
const newline = 10;
const checksumLength = 8;

export const encodeSample = ({ source, json }: Sample): string => encode(`${source} ${json}`);

export const encodeFooter = (footer: Footer): string => encode(`${footerSource} ${JSON.stringify(footer)}`);

const encode = (text: string): string => `${checksumOf(text)} ${text}\n`;

const checksumOf = (text: string | Buffer): string => crc32(text).toString(16).padStart(checksumLength, '0');

export type Line = { sample?: Sample; footer?: Footer; isDamaged?: true; end: number };

/** Yields the complete lines from `start` on. Ignores an unfinished last line. */
export function* linesOf(bytes: Buffer, start = 0): Generator<Line> {
  for (let at = start; ; ) {
    const stop = bytes.indexOf(newline, at);
    if (stop < 0) return;
    yield { ...decode(bytes.subarray(at, stop)), end: stop + 1 };
    at = stop + 1;
  }
}

function decode(line: Buffer): Omit<Line, 'end'> {
  const body = line.subarray(checksumLength + 1);
  if (line.toString('latin1', 0, checksumLength) !== checksumOf(body)) return { isDamaged: true };
  const text = body.toString();
  const space = text.indexOf(' ');
  const [source, json] = [text.slice(0, space), text.slice(space + 1)];
  if (source === footerSource) return { footer: JSON.parse(json) };
  return { sample: { seq: seqOf(json), source, json } };
}

const seqField = ',"seq":';

/** Appends the number as the last field. */
export const withSeq = (json: string, seq: number): string => `${json.slice(0, -1)}${seqField}${seq}}`;

const seqOf = (json: string): number => Number(json.slice(json.lastIndexOf(seqField) + seqField.length, -1));

/** Returns the timestamp of a sample, ms. */
export const timeOf = ({ json }: Sample): number => Number(/"timestamp":(-?\d+)/.exec(json)?.[1] ?? 0);

// Undated samples have monotonic timestamps; the file name ends with the boot id. Of two files with the same samples, the
// kind listed first is kept.
const kinds = ['minutes', 'full', 'undated'] as const;
type Kind = (typeof kinds)[number];

const nameForm = /^(\d{16})\.(full|minutes|undated)(?:-([\w-]+))?$/;
const footerBytes = 8192;

function parseName(name: string): { ordinal: number; kind: Kind; boot: string | undefined } | undefined {
  const [, ordinal, word, boot] = nameForm.exec(name) ?? [];
  const kind = kinds.find((each) => each === word);
  return kind && { ordinal: Number(ordinal), kind, boot };
}

/** A file of the outbox. Its name begins with a number that orders the files. */
export class Segment {
  readonly ordinal: number;
  readonly kind: Kind;
  readonly boot: string | undefined;
  readonly path: string;
  readonly waiting: SeqRanges;
  bytes = 0;
  from: number;
  to: number;

  constructor(folder: string, name: string, footer?: Footer) {
    const parsed = parseName(name);
    if (!parsed) throw new Error(`${name} is not the name of an outbox file.`);
    this.ordinal = parsed.ordinal;
    this.kind = parsed.kind;
    this.boot = parsed.boot;
    this.path = join(folder, name);
    this.waiting = new SeqRanges(footer?.waiting);
    this.from = footer?.from ?? Number.POSITIVE_INFINITY;
    this.to = footer?.to ?? Number.NEGATIVE_INFINITY;
  }

  /** Notes the samples of a file without a footer; returns the number of damaged lines. */
  survey(content: Buffer): number {
    let damaged = 0;
    for (const { sample, isDamaged, end } of linesOf(content)) {
      if (isDamaged) damaged++;
      this.note(sample ? [sample] : [], end - this.bytes);
    }
    return damaged;
  }

  note(samples: readonly Sample[], bytes: number): void {
    for (const sample of samples) {
      const at = timeOf(sample);
      this.waiting.add(sample.seq);
      this.from = Math.min(this.from, at);
      this.to = Math.max(this.to, at);
    }
    this.bytes += bytes;
  }

  footer(): Footer {
    return { waiting: this.waiting.list(), from: this.from, to: this.to };
  }

  /** Returns the part of the file that is known to be on disk. */
  async read(): Promise<Buffer> {
    const bytes = await readFile(this.path);
    return bytes.subarray(0, this.bytes);
  }

  /** Yields the queued samples. Lets other work run every 500 lines. */
  async *samples(): AsyncGenerator<Sample> {
    let read = 0;
    for (const { sample } of linesOf(await this.read())) {
      if (++read % 500 === 0) await new Promise(setImmediate);
      if (sample && this.waiting.has(sample.seq)) yield sample;
    }
  }

  remove(): Promise<void> {
    return rm(this.path, { force: true });
  }
}

const damages = ['EIO', 'EISDIR', 'ENOENT', 'EBADMSG', 'EUCLEAN'];

/** True when the file itself is damaged, as opposed to a temporary shortage such as too many open files. */
export const isDamage = (error: unknown): boolean => damages.some((code) => code === errorCode(error));

export function segmentName(ordinal: number, kind: Kind, boot?: string): string {
  return `${String(ordinal).padStart(16, '0')}.${kind}${boot === undefined ? '' : `-${boot}`}`;
}

/** Creates a file to append to, and syncs its name to disk. */
export async function createSegment(folder: string, name: string): Promise<{ segment: Segment; file: FileHandle }> {
  const segment = new Segment(folder, name);
  const file = await open(segment.path, 'ax', 0o600);
  try {
    await syncPath(folder);
  } catch (error) {
    await file.close();
    await segment.remove();
    throw error;
  }
  return { segment, file };
}

/** Replaces the samples of a file atomically. */
export async function replaceSegment(
  folder: string,
  old: Segment,
  kind: Kind,
  samples: readonly Sample[],
): Promise<Segment> {
  const segment = new Segment(folder, segmentName(old.ordinal, kind));
  segment.note(samples, 0);
  const text = samples.map(encodeSample).join('') + encodeFooter(segment.footer());
  segment.bytes = Buffer.byteLength(text);
  await writeAtomic(segment.path, text);
  await old.remove();
  return segment;
}

/** Loads the files of a folder, oldest first. Removes leftovers of interrupted writes and replacements. */
export async function loadSegments(folder: string, log: Logger): Promise<{ segments: Segment[]; damaged: number }> {
  const best = new Map<number, { name: string; kind: Kind }>();
  const left: string[] = [];
  for (const name of await readdir(folder)) {
    const parsed = parseName(name);
    if (name.endsWith('.tmp')) left.push(name);
    if (!parsed) continue;
    const { ordinal, kind } = parsed;
    const other = best.get(ordinal);
    const isBetter = !other || kinds.indexOf(kind) < kinds.indexOf(other.kind);
    if (isBetter) best.set(ordinal, { name, kind });
    if (other) left.push(isBetter ? other.name : name);
  }
  for (const name of left) await rm(join(folder, name), { force: true });

  const segments: Segment[] = [];
  let damaged = 0;
  for (const { name } of [...best.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    try {
      const loaded = await loadSegment(folder, name);
      damaged += loaded.damaged;
      segments.push(loaded.segment);
    } catch (error) {
      log.error({ err: error, path: join(folder, name) }, 'failed to read a file of the outbox');
    }
  }
  return { segments, damaged };
}

async function loadSegment(folder: string, name: string): Promise<{ segment: Segment; damaged: number }> {
  const file = await open(join(folder, name), 'r');
  try {
    const { size } = await file.stat();
    const tail = Buffer.alloc(Math.min(size, footerBytes));
    await file.read(tail, 0, tail.length, size - tail.length);
    const footer = footerOf(tail);
    const segment = new Segment(folder, name, footer);
    if (!footer) return { segment, damaged: segment.survey(await file.readFile()) };
    segment.bytes = size;
    return { segment, damaged: 0 };
  } finally {
    await file.close();
  }
}

function footerOf(tail: Buffer): Footer | undefined {
  const start = tail.lastIndexOf('\n', tail.length - 2) + 1;
  for (const { footer, end } of linesOf(tail, start)) {
    if (footer && end === tail.length) return footer;
  }
  return undefined;
}
