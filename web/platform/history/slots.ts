import { dayMs, hourMs } from '#contract/time.ts';
import { dateAt, startOfDate, wallAt } from '#contract/time-zone.ts';
import { addDays, monthAfter } from '../../chart/calendar.ts';
import type { Span } from './energy.ts';

export type SlotKind = 'hour' | 'day' | 'month';

const slotKindFor = (lengthMs: number): SlotKind =>
  lengthMs <= 3 * dayMs ? 'hour' : lengthMs <= 62 * dayMs ? 'day' : 'month';

/** The range in hours, days or months of the calendar at the site: a bar each. */
export function slotsOf({ from, to }: Span, timeZone?: string): { kind: SlotKind; slots: Span[] } {
  const kind = slotKindFor(to - from);
  const slots: Span[] = [];
  for (let start = from; start < to; ) {
    const end = Math.min(to, endOf(kind, start, timeZone));
    slots.push({ from: start, to: end });
    start = end;
  }
  return { kind, slots };
}

function endOf(kind: SlotKind, start: number, timeZone: string | undefined): number {
  if (kind === 'hour') return start + hourMs - (wallAt(timeZone, start) % hourMs);
  const day = dateAt(timeZone, start);
  return startOfDate(timeZone, kind === 'day' ? addDays(day, 1) : monthAfter(day, 1));
}
