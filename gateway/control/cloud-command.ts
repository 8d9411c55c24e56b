import { maxLeaseS } from '#contract/command.ts';
import { parseTime } from '#contract/time.ts';
import { JsonError, parseJson } from '#lib/json.ts';
import { futureMs } from './command.ts';

export type CloudCommand = {
  power_w: number;
  id: string | undefined;
  issuedAt: number;
  /** how much longer it holds; not above zero when its time is over */
  remainingMs: number;
};

/** The platform lets go of what it has commanded until then. */
export type CloudRelease = { releasedAt: number };

const longestBytes = 4096;

/** What a message on a control topic says; or, as text, why it says nothing. */
export function parseCloudCommand(
  payload: Uint8Array,
  { now, leaseS, topic }: { now: number; leaseS: number; topic: string },
): CloudCommand | CloudRelease | { refused: string; id?: string } {
  if (payload.length > longestBytes) return { refused: 'The message is too long.' };
  let said: Record<string, unknown>;
  try {
    said = (parseJson(payload) ?? {}) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof JsonError) return { refused: error.message };
    throw error;
  }
  const { action, power_w, ttl_s = leaseS, command_id, expires_at } = said;
  const id = typeof command_id === 'string' && command_id.length <= 128 ? command_id : undefined;
  const refuse = (refused: string) => ({ refused, ...(id !== undefined && { id }) });

  const given = said.issued_at ?? said.timestamp;
  const [issued, expires] = [timeOf(given), timeOf(expires_at)];
  if (Number.isNaN(issued) || Number.isNaN(expires)) return refuse('A time in it is none.');
  if (issued !== undefined && issued > now + futureMs) return refuse('It was issued in the future.');
  if (action === 'release') return { releasedAt: issued ?? now };
  if (action !== undefined) return refuse('The only action there is, is release.');
  if (typeof power_w !== 'number' || !Number.isFinite(power_w)) return refuse('power_w must be a number.');
  if (typeof ttl_s !== 'number' || !(ttl_s >= 1 && ttl_s <= maxLeaseS))
    return refuse(`ttl_s must be 1 to ${maxLeaseS}.`);
  if (command_id !== undefined && id === undefined) return refuse('command_id must be text of 128 characters at most.');

  const ends = Math.min((issued ?? now) + ttl_s * 1000, expires ?? Number.POSITIVE_INFINITY);
  return {
    power_w,
    // Without an id, the same message again is known by its time.
    id: id ?? (issued === undefined ? undefined : `${topic} ${issued} ${power_w}`.slice(-128)),
    issuedAt: issued ?? now,
    remainingMs: Math.min(ends - now, ttl_s * 1000),
  };
}

/** Undefined when none is given, NaN when it is none. */
function timeOf(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'number' || typeof value === 'string' ? (parseTime(String(value)) ?? Number.NaN) : Number.NaN;
}
