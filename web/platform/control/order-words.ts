import type { Command } from '#contract/cloud/commands.ts';
import type { Order } from '#contract/cloud/orders.ts';
import type { CommandedType } from '#contract/command.ts';
import { dateAt } from '#contract/time-zone.ts';
import { commandWords } from '../../parts/command-words.ts';
import { now } from '../../parts/now.ts';
import { day, percent, texts, timeOfDay } from '../../parts/text.ts';
import { api } from '../session.ts';

const t = texts({
  until: '{command} until {time}',
  toCharge: '{command} until {charge}, at most until {time}',
  between: '{command} from {from} until {time}',
  heldBy: '{what}, by {who}',
  unknown: 'not recorded',
  other: 'someone else',
});

/** Returns a time of day, with the day if it is not today. */
export function untilWords(ms: number, timeZone: string | undefined): string {
  const time = timeOfDay(ms, timeZone);
  return dateAt(timeZone, ms) === dateAt(timeZone, now.value) ? time : `${day(ms, timeZone)} ${time}`;
}

/** Describes what an order does, and until when. */
export function orderWords(order: Order, type: CommandedType, timeZone: string | undefined): string {
  const { power_w, status, starts_at, ends_at, target_soc_pct } = order;
  const command = commandWords(type, power_w);
  const time = untilWords(Date.parse(ends_at), timeZone);
  if (target_soc_pct !== undefined) return t('toCharge', { command, time, charge: percent(target_soc_pct / 100) });
  if (status === 'waiting') return t('between', { command, time, from: untilWords(Date.parse(starts_at), timeZone) });
  return t('until', { command, time });
}

/** Describes what holds a DER, until when, and who sent it; undefined if nothing does. */
export function heldWords(
  { order, command }: { order: Order | undefined; command: Command | undefined },
  type: CommandedType,
  timeZone: string | undefined,
): string | undefined {
  if (order) return t('heldBy', { what: orderWords(order, type, timeZone), who: whoWords(order) });
  if (!command) return undefined;
  const time = untilWords(Date.parse(command.expires_at), timeZone);
  const what = t('until', { command: commandWords(type, command.power_w), time });
  return t('heldBy', { what, who: whoWords(command) });
}

/** Names the person who sent a command or order. */
export function whoWords({ created_by, created_by_name }: { created_by?: string; created_by_name?: string }): string {
  if (created_by === undefined) return t('unknown');
  return created_by === api().identityId ? t('you') : (created_by_name ?? t('other'));
}
