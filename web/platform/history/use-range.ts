import { useComputed } from '@preact/signals';
import { minuteMs } from '#contract/time.ts';
import { now } from '../../parts/now.ts';
import { place } from '../../parts/router.tsx';
import { type Range, rangeOf } from './range.ts';

/** The range of the address, and the minute it is: a range that follows moves on with it. */
export function useRange(timeZone: string | undefined): { range: Range; nowMs: number } {
  const minute = useComputed(() => Math.floor(now.value / minuteMs) * minuteMs);
  return { range: rangeOf(place.value.searchParams, minute.value, timeZone), nowMs: minute.value };
}
