import { type Signal, useSignal } from '@preact/signals';
import type { Step } from '#contract/price/total.ts';
import type { ChosenTerms } from '../market/total-price.ts';
import type { PriceWindow, ShownPrice } from './slots.ts';

/** View settings, kept when the area or the terms change. */
export const usePriceViewState = () => ({
  step: useSignal<Step>('PT60M'),
  shown: useSignal<ShownPrice>('total'),
  /** time within the selected bar; undefined selects the current one */
  bar: useSignal<number | undefined>(undefined),
  /** number of hours needed */
  length: useSignal('3'),
  /** latest end, hh:mm; empty for any time */
  end: useSignal(''),
});

export type PriceViewState = ReturnType<typeof usePriceViewState>;

/** The state of the page, which its cards share. */
export type MarketView = {
  choices: PriceViewState;
  /** the cheapest window */
  window: Signal<PriceWindow | undefined>;
  nowMs: number;
  timeZone: string | undefined;
  isTomorrowKnown: boolean;
};

/** Area, tariff and terms that the page shows prices for. */
export type PriceSelection = ChosenTerms & { providerId?: string | undefined };

/** Defaults of a site: its settings and contract, or what its position implies. */
type PlaceDefaults = PriceSelection;

/** Query value that clears the site's tariff or grid operator. */
export const none = 'none';

/** Reads the selection from the query; the rest comes from the defaults. */
export function readSelection(query: URLSearchParams, own: PlaceDefaults): PriceSelection {
  const chosen = (name: string, its: string | undefined): string | undefined => {
    const value = query.get(name) || its;
    return value === none ? undefined : value;
  };
  const tariffId = chosen('tariff', own.tariffId);
  return {
    area: query.get('area')?.toUpperCase() || own.area,
    tariffId,
    // A chosen tariff may belong to another operator than the one at the position.
    providerId: chosen('provider', tariffId === undefined ? own.providerId : undefined),
    markup: numberOf(query.get('markup'), -100, 100) ?? own.markup,
    vat: numberOf(query.get('vat'), 0, 100) ?? own.vat,
  };
}

function numberOf(text: string | null, least: number, most: number): number | undefined {
  const value = text?.trim() ? Number(text) : Number.NaN;
  return value >= least && value <= most ? value : undefined;
}

export const isPreview = (selection: PriceSelection, own: PlaceDefaults): boolean =>
  selection.area !== own.area || selection.tariffId !== own.tariffId;
