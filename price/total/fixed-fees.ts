import type { Component, Interval } from '../tariffs/eltariff.ts';
import { common, daysOf, periodsOf } from './billing-period.ts';
import { daysCharged, type GridTariff } from './grid-tariff.ts';

/** For how many of its periods a fixed fee is due. */
export type FixedFee = { component: Component; count: number };

/** A period that is billed in part counts by its days. */
export function fixedFees(tariff: GridTariff, billed: Interval): FixedFee[] {
  return tariff.all
    .flatMap((list) =>
      list.fixedPrice.components.map((component) => {
        const parts = periodsOf(component.pricedPeriod ?? 'P1M', billed).map(
          (period) => daysCharged(tariff, list, component, common(period, billed)) / daysOf(period),
        );
        return { component, count: parts.reduce((sum, part) => sum + part, 0) };
      }),
    )
    .filter(({ component, count }) => count > 0 && component.price);
}

const units: Readonly<Record<string, string>> = { P1D: 'day', P1W: 'week', P1M: 'month', P1Y: 'year' };

export const unitOf = ({ pricedPeriod = 'P1M' }: Component): string => units[pricedPeriod] ?? pricedPeriod;
