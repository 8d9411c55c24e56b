import { type Command, heldCommand } from '#contract/cloud/commands.ts';
import type { Order } from '#contract/cloud/orders.ts';
import type { CommandedType } from '#contract/command.ts';
import { isStaleAt, minuteMs } from '#contract/time.ts';

/** How a device follows its setpoint: no reading yet, no recent reading, still ramping, on target, below target, or not at all. */
export type Tracking = 'unknown' | 'silent' | 'settling' | 'follows' | 'less' | 'differs';

const minToleranceW = 100;
const toleranceFract = 0.1;
const settleMs = 10_000; // inverters ramp, and are read once per second

/** Compares the observed power with the setpoint `asked_w`, in the signs of docs/units-and-signs.md. A solar setpoint is an upper limit. */
export function trackingOf(
  type: CommandedType,
  asked_w: number,
  appliedAtMs: number,
  seen: { atMs: number; W: number } | undefined,
  nowMs: number,
): Tracking {
  if (!seen || seen.atMs < appliedAtMs) return 'unknown';
  if (isStaleAt(seen.atMs, nowMs)) return 'silent';
  const judged = judge(type, asked_w, seen.W);
  return judged !== 'follows' && seen.atMs < appliedAtMs + settleMs ? 'settling' : judged;
}

function judge(type: CommandedType, asked_w: number, W: number): Tracking {
  const tolerance = Math.max(minToleranceW, Math.abs(asked_w) * toleranceFract);
  if (type === 'solar') return -W <= asked_w + tolerance ? 'follows' : 'differs';
  if (Math.abs(W - asked_w) <= tolerance) return 'follows';
  const isSameWay = W * asked_w >= 0 && Math.abs(W) < Math.abs(asked_w);
  return isSameWay ? 'less' : 'differs';
}

/** Merges a command into a list, newest first. Of two versions the one with more history wins. */
export function mergeCommand(list: readonly Command[], received: Command): readonly Command[] {
  const known = list.find(({ id }) => id === received.id);
  if (known && known.history.length >= received.history.length) return list;
  const others = list.filter((each) => each !== known);
  const { created_by } = received;
  const isKnown = (each: Command): boolean => each.created_by_name !== undefined && each.created_by === created_by;
  const name = received.created_by_name ?? list.find(isKnown)?.created_by_name; // events have no names
  const merged = { ...received, ...(name !== undefined && { created_by_name: name }) };
  return [...others, merged].toSorted((one, other) => (one.id < other.id ? 1 : -1)); // IDs start with the time
}

export function lastStepOf({ history }: Command): Command['history'][number] {
  const last = history.at(-1);
  if (!last) throw new Error('A command has at least one step.');
  return last;
}

const shownMs = 10 * minuteMs;

/** Returns the active command of a DER, and its newest one if it ended recently. */
export function commandState(
  commands: readonly Command[],
  derId: string,
  nowMs: number,
): { active: Command | undefined; ended: Command | undefined } {
  const list = commands.filter(({ der_id }) => der_id === derId);
  const active = heldCommand(list);
  const [newest] = list;
  const isFresh = newest && newest !== active && nowMs - Date.parse(lastStepOf(newest).at) < shownMs;
  return { active, ended: isFresh ? newest : undefined };
}

/** Whether a gateway has confirmed a command for this DER that has not ended. */
export const isConfirmed = (commands: readonly Command[], derId: string): boolean =>
  commands.some(({ der_id, status }) => der_id === derId && status === 'applied');

/** Keeps the newest order of each DER; one that ended does not begin again. */
export function mergeOrder(orders: readonly Order[], received: Order): readonly Order[] {
  const known = orders.find(({ der_id }) => der_id === received.der_id);
  if (known && (known.id > received.id || (known.id === received.id && known.status === 'ended'))) return orders;
  return [...orders.filter((each) => each !== known), received];
}

/** Returns the order that holds a DER or waits, and the newest one if it ended recently. */
export function orderState(
  orders: readonly Order[],
  derId: string,
  nowMs: number,
): { held: Order | undefined; waiting: Order | undefined; ended: Order | undefined } {
  const order = orders.find(({ der_id }) => der_id === derId);
  const isOpen = order !== undefined && order.status !== 'ended' && Date.parse(order.ends_at) > nowMs;
  const isWaiting = isOpen && Date.parse(order.starts_at) > nowMs;
  const isFresh = order?.ended_at !== undefined && nowMs - Date.parse(order.ended_at) < shownMs;
  return {
    held: isOpen && !isWaiting ? order : undefined,
    waiting: isWaiting ? order : undefined,
    ended: isFresh ? order : undefined,
  };
}
