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

/** What a place has by itself: the settings of a site, or what its position tells. */
export type Own = { area?: string | undefined; tariffId?: string | undefined; providerId?: string | undefined };

/** What the page shows prices for. */
export type LookedAt = Own & {
  /** what the supplier adds, for a kWh before VAT */
  markup?: number | undefined;
  /** percent */
  vat?: number | undefined;
};

/** In the address, instead of a tariff or a grid operator: look without the one of the site. */
export const none = 'none';

/** The address of the page changes what is looked at; what it leaves out is that of the place. */
export function lookedAt(query: URLSearchParams, own: Own): LookedAt {
  const chosen = (name: string, its: string | undefined): string | undefined => {
    const value = query.get(name) || its;
    return value === none ? undefined : value;
  };
  const tariffId = chosen('tariff', own.tariffId);
  return {
    area: query.get('area')?.toUpperCase() || own.area,
    tariffId,
    // The grid operator at the position of the place, unless a tariff is there that may be of another one.
    providerId: chosen('provider', tariffId === undefined ? own.providerId : undefined),
    markup: numberOf(query.get('markup'), -100, 100),
    vat: numberOf(query.get('vat'), 0, 100),
  };
}

function numberOf(text: string | null, least: number, most: number): number | undefined {
  const value = text?.trim() ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : undefined;
}

/** Whether something other than the settings of the place is looked at. */
export const differs = (looked: LookedAt, own: Own): boolean =>
  looked.area !== own.area || looked.tariffId !== own.tariffId;
