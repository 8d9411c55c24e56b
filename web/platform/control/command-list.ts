import { type Command, heldCommand } from '#contract/cloud/commands.ts';
import type { CommandedType } from '#contract/command.ts';
import { isStaleAt, minuteMs } from '#contract/time.ts';

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

/** The commands of each DER, newest first. */
export type CommandLists = ReadonlyMap<string, readonly Command[]>;

/** With what was heard of a command: of two tellings the one that is further along counts. */
export function withCommand(lists: CommandLists, heard: Command): CommandLists {
  const list = lists.get(heard.der_id) ?? [];
  const known = list.find(({ id }) => id === heard.id);
  if (known && known.history.length >= heard.history.length) return lists;
  const others = list.filter(({ id }) => id !== heard.id);
  const merged = [...others, heard].toSorted((one, other) => (one.id < other.id ? 1 : -1)); // ids begin with the time
  return new Map(lists).set(heard.der_id, merged);
}

export const endedAtMs = ({ history }: Command): number => Date.parse(history.at(-1)!.at);

const shownMs = 10 * minuteMs;

/** What holds a DER, and what became of the newest command when that is over and not long ago. */
export function standingOf(
  list: readonly Command[],
  nowMs: number,
): { held: Command | undefined; ended: Command | undefined } {
  const held = heldCommand(list);
  const [newest] = list;
  const isFresh = newest && newest !== held && nowMs - endedAtMs(newest) < shownMs;
  return { held, ended: isFresh ? newest : undefined };
}

/** All of them together, newest first. */
export const newestOf = (lists: CommandLists, count: number): Command[] =>
  [...lists.values()]
    .flat()
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, count);
