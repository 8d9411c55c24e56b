import { useComputed } from '@preact/signals';
import { minuteMs } from '#contract/time.ts';
import { now } from '../../parts/now.ts';

const refreshMs = 5 * minuteMs;
const settledMs = 40_000;

/** Counts up every five minutes, when the energy of the last one is stored; while the page is visible, or when it becomes visible. */
export const useTurn = (): number => useComputed(() => Math.floor((now.value - settledMs) / refreshMs)).value;
