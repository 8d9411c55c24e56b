import type { Range } from './outbox/seq-ranges.ts';

/** `{"acked": [[first, last], …]}`; undefined when it is something else. */
export function parseAcknowledgement(payload: Buffer): Range[] | undefined {
  let acked: unknown;
  try {
    acked = (JSON.parse(payload.toString()) as { acked?: unknown } | null)?.acked;
  } catch {
    return undefined;
  }
  return Array.isArray(acked) && acked.every(isRange) ? acked : undefined;
}

function isRange(value: unknown): value is Range {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [first, last] = value;
  return Number.isSafeInteger(first) && Number.isSafeInteger(last) && first <= last;
}
