import { isUtf8 } from 'node:buffer';
import { boundsOf } from '#contract/telemetry.ts';
import { parseTime } from '#contract/time.ts';

/** Why a message was not kept. Counted, and told to the operator. */
export type DropReason = 'malformed' | 'too_large' | 'not_finite' | 'out_of_range' | 'not_provisioned' | 'unstorable';

export type Reading = {
  at: number;
  /** the number its gateway knows it by, until we acknowledge it */
  seq: number | undefined;
  /** the reading as it came */
  text: string;
  values: Record<string, unknown>;
  /** its own time could not be, so it has the time it arrived */
  isRedated: boolean;
};

export type Refused = { reason: DropReason; seq: number | undefined };

const mostBytes = 16 * 1024;
const mostFields = 100;
const firstTime = Date.UTC(2015, 0, 1);
const futureMs = 24 * 3_600_000;

/** A flat JSON object of finite, plausible numbers and short texts; anything else is refused with its reason. */
export function parseReading(payload: Uint8Array, now: number): Reading | Refused {
  if (payload.byteLength > mostBytes) return refused('too_large');
  if (!isUtf8(payload)) return refused('malformed');
  const text = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength).toString();
  const values = parseObject(text);
  if (!values) return refused('malformed');
  const seq = Number.isSafeInteger(values.seq) && (values.seq as number) >= 0 ? (values.seq as number) : undefined;

  const names = Object.keys(values);
  if (names.length > mostFields) return refused('malformed', seq);
  for (const name of names) {
    const reason = faultOf(name, values[name]);
    if (reason) return refused(reason, seq);
  }
  const said = timeOf(values.timestamp);
  const isRedated = said === undefined || said < firstTime || said > now + futureMs;
  return { at: isRedated ? now : said, seq, text, values, isRedated };
}

const refused = (reason: DropReason, seq?: number): Refused => ({ reason, seq });

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return Object.hasOwn(value, '__proto__') ? undefined : (value as Record<string, unknown>);
  } catch {
    return undefined;
  }
}

function faultOf(name: string, value: unknown): DropReason | undefined {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return 'not_finite'; // 1e999 parses as Infinity
    const { least, most } = boundsOf(name);
    return value < least || value > most ? 'out_of_range' : undefined;
  }
  if (typeof value === 'string') return value.length > 256 ? 'malformed' : undefined;
  if (typeof value === 'boolean' || value === null) return undefined;
  const isList = Array.isArray(value) && value.length <= 16;
  return isList && value.every((item) => Number.isFinite(item)) ? undefined : 'malformed';
}

function timeOf(value: unknown): number | undefined {
  if (typeof value === 'number') return parseTime(String(Math.max(0, Math.trunc(value))));
  return typeof value === 'string' ? parseTime(value) : undefined;
}
