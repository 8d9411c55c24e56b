import { crc32 } from 'node:zlib';
import { type Range, SeqRanges } from './seq-ranges.ts';

/** A sample as it waits: `source` is the device and the DER in its topic, `json` what is published. */
export type Sample = { seq: number; source: string; json: string };

/** What a finished file ends with, so that nobody has to read it whole: what waits in it, and from when it is. */
export type Footer = { waiting: Range[]; from: number; to: number };

// crc32, source, JSON: a line each, so that what is damaged costs no more than itself. A footer has this source.
const footerSource = '#';
const newline = 10;
const checksumLength = 8;

export const encodeSample = ({ source, json }: Sample): string => encode(`${source} ${json}`);

export const encodeFooter = (footer: Footer): string => encode(`${footerSource} ${JSON.stringify(footer)}`);

const encode = (text: string): string => `${checksumOf(text)} ${text}\n`;

const checksumOf = (text: string | Buffer): string => crc32(text).toString(16).padStart(checksumLength, '0');

export type Line = { sample?: Sample; footer?: Footer; isDamaged?: true; end: number };

/** The whole lines from there on, one when it is asked for. What follows the last newline was not finished. */
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

/** The number stands last. */
export const withSeq = (json: string, seq: number): string => `${json.slice(0, -1)}${seqField}${seq}}`;

const seqOf = (json: string): number => Number(json.slice(json.lastIndexOf(seqField) + seqField.length, -1));

/** Of a file that has no footer. */
export function survey(bytes: Buffer): Footer & { end: number; damaged: number } {
  const waiting = new SeqRanges();
  let [from, to, end, damaged] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0];
  for (const line of linesOf(bytes)) {
    end = line.end;
    if (line.isDamaged) damaged++;
    if (!line.sample) continue;
    waiting.add(line.sample.seq);
    const at = timeOf(line.sample);
    from = Math.min(from, at);
    to = Math.max(to, at);
  }
  return { waiting: waiting.list(), from, to, end, damaged };
}

/** When it was taken, ms. */
export const timeOf = ({ json }: Sample): number => Number(/"timestamp":(-?\d+)/.exec(json)?.[1] ?? 0);
