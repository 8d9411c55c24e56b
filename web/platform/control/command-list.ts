import { type Command, heldCommand } from '#contract/cloud/commands.ts';
import { minuteMs } from '#contract/time.ts';

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
