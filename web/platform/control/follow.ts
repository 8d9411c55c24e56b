import type { CommandedType } from '#contract/command.ts';
import { isStaleAt } from '#contract/freshness.ts';

/** Whether a device does what it was asked: not known, no longer known, not yet, yes, less than that, or something else. */
export type Following = 'unknown' | 'silent' | 'settling' | 'follows' | 'less' | 'differs';

type Seen = { atMs: number; W: number };

const leastToleranceW = 100;
const toleranceFract = 0.1;
const settleMs = 10_000; // inverters ramp, and are read once a second

/** `asked_w` and what was seen are in the signs of docs/units-and-signs.md; of solar power the most is asked. */
export function followingOf(
  type: CommandedType,
  asked_w: number,
  appliedAtMs: number,
  seen: Seen | undefined,
  nowMs: number,
): Following {
  if (!seen || seen.atMs < appliedAtMs) return 'unknown';
  if (isStaleAt(seen.atMs, nowMs)) return 'silent';
  const judged = judge(type, asked_w, seen.W);
  return judged !== 'follows' && seen.atMs < appliedAtMs + settleMs ? 'settling' : judged;
}

function judge(type: CommandedType, asked_w: number, W: number): Following {
  const tolerance = Math.max(leastToleranceW, Math.abs(asked_w) * toleranceFract);
  if (type === 'solar') return -W <= asked_w + tolerance ? 'follows' : 'differs';
  if (Math.abs(W - asked_w) <= tolerance) return 'follows';
  const isSameWay = W * asked_w >= 0 && Math.abs(W) < Math.abs(asked_w);
  return isSameWay ? 'less' : 'differs';
}
