import { type Signal, useSignal } from '@preact/signals';
import type { Step } from '#contract/price/total.ts';
import type { Shown } from './slots.ts';

/** How somebody looks at prices: it stays when they are those of another place, or on other terms. */
export type Choices = {
  step: Signal<Step>;
  shown: Signal<Shown>;
  /** a time of the bar whose parts are shown; undefined for that of now */
  bar: Signal<number | undefined>;
  /** how many hours something takes */
  length: Signal<string>;
  /** when it must be over, hh:mm; empty for any time */
  end: Signal<string>;
};

export const useChoices = (): Choices => ({
  step: useSignal<Step>('PT60M'),
  shown: useSignal<Shown>('total'),
  bar: useSignal<number | undefined>(undefined),
  length: useSignal('3'),
  end: useSignal(''),
});
