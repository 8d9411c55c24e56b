import { isUtf8 } from 'node:buffer';
import { parseReading, Reading, type Refused, readKnownShape, shapeOf } from '#cloud/telemetry/reading.ts';
import { boundsOf } from '#contract/telemetry.ts';
import { dayMs } from '#contract/time.ts';
import { createRandom, damage, type Random } from '#gateway/p1/testing/fuzz-damage.ts';
import type { FuzzReport } from './fuzz-report.ts';

type Parse = (payload: Uint8Array, now: number) => Reading | Refused;

const now = Date.parse('2026-06-01T12:00:00Z');
const names = 'W V A Hz L1_W L2_V total_import_Wh total_export_Wh SoC_nom_fract temperature_C mppt1_V dc_W'.split(' ');
const usual = ['0', '1', '-1', '0.5', '230.5', '-4321.09', '49.98', '1e3', '99.9', '12345678'];
const unusual = ['1e999', '-1e400', '-0', '012', '1.', '.5', '1e-7', '123456789012345678', 'null', 'true', '[1,2]'];
const others = ['"x"', '{}', '[[]]', '[1e999]', '""', '"\\u0000"', '"\\ud800"', `"${'y'.repeat(300)}"`];

/** Damaged readings of gateways: stored values are finite, plausible and dated, and the fast parser agrees with the slow one. */
export function fuzzTelemetry(seed: number, cases: number, parse: Parse = parseReading): FuzzReport {
  const random = createRandom(seed);
  const report: FuzzReport = { cases, frames: 0, wrong: [], slowestMs: 0 };
  for (let done = 0; done < cases; done++) {
    const { text, fields } = someReading(random);
    const payload = random.below(4) ? damage(Buffer.from(text), random) : Buffer.from(text);
    const began = performance.now();
    try {
      const read = parse(payload, now);
      const quick = readKnownShape(payload, now, shapeOf(fields)!);
      if (read instanceof Reading) report.frames++;
      const fault = faultOf(payload, read, quick);
      if (fault) report.wrong.push(`${fault}: ${payload.toString('latin1').slice(0, 300)}`);
    } catch (error) {
      report.wrong.push(`threw ${String(error)}: ${payload.toString('latin1').slice(0, 300)}`);
    }
    report.slowestMs = Math.max(report.slowestMs, performance.now() - began);
  }
  return report;
}

function someReading(random: Random): { text: string; fields: string[] } {
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const fields = new Set(Array.from({ length: 1 + random.below(8) }, () => pick(names)));
  const number = (): string => pick(random.below(12) ? usual : random.below(3) ? unusual : others);
  const said = [...fields].map((name) => [name, number()]);
  if (random.below(4))
    said.push(['timestamp', pick([String(now), String(now / 1000), '1', `${now}.75`, '9e18', '-5'])]);
  if (random.below(3)) said.push(['seq', pick(['0', '17', '-1', '1.5', '9007199254740993'])]);
  if (random.below(3) === 0) said.push(['make', pick(['"Sungrow"', '"Å"', '"a\\"b"'])]);
  return { text: `{${said.map(([name, value]) => `"${name}":${value}`).join()}}`, fields: said.map(([name]) => name!) };
}

function faultOf(payload: Buffer, read: Reading | Refused, quick: Reading | undefined): string | undefined {
  if (!(read instanceof Reading)) return quick && `accepted by its shape, and refused as ${read.reason}`;
  if (quick && (quick.at !== read.at || quick.seq !== read.seq || quick.text !== read.text)) return 'read in two ways';
  if (!isUtf8(payload) || read.text !== payload.toString()) return 'stored another text';
  if (!(read.at >= Date.UTC(2015) && read.at <= now + dayMs)) return `dated ${read.at}`;
  for (const [name, value] of Object.entries(JSON.parse(read.text) as object)) {
    if (!mayBeKept(name, value)) return `kept ${name} ${String(value).slice(0, 40)}`;
  }
  return undefined;
}

function mayBeKept(name: string, value: unknown): boolean {
  if (typeof value === 'number') {
    const { min: least, max: most } = boundsOf(name);
    return value >= least && value <= most;
  }
  if (Array.isArray(value)) return value.length <= 16 && value.every((item) => Number.isFinite(item));
  return value === null || typeof value === 'boolean' || (typeof value === 'string' && value.length <= 256);
}
