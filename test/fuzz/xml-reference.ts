// Reads a price document a second time, with patterns over its text. Shares no code with the price service.

type Interval = { start: number; end: number; price: number };

const minutes: Record<string, number> = { PT15M: 15, PT30M: 30, PT60M: 60, PT1H: 60 };

const inside = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(`<(?:[\\w.-]+:)?${name}(?:\\s[^>]*)?>(.*?)</(?:[\\w.-]+:)?${name}\\s*>`, 'gs'))].map(
    (match) => match[1]!,
  );
const said = (text: string, name: string): string | undefined => inside(text, name)[0]?.trim();

/** Every interval with a price in euro for this area, as `start end price`; undefined when patterns cannot read it. */
export function saidPrices(document: string, eic: string): Set<string> | undefined {
  const plain = document.replaceAll(/<!--.*?-->/gs, '');
  if (/<Point>(?:(?!<\/Point>).)*<(?:Point|curveType|resolution)>/s.test(plain)) return undefined;
  const intervals = inside(plain, 'TimeSeries')
    .filter((series) => isOf(series, eic))
    .flatMap((series) => {
      const isBlocks = said(series, 'curveType') === 'A03';
      return inside(series, 'Period').flatMap((period) =>
        inside(period, 'resolution').flatMap((resolution) => pricesOf(period, resolution.trim(), isBlocks)),
      );
    });
  return new Set(intervals.map(inWords));
}

/** To a hundredth of a cent, as prices are stored. */
export const inWords = ({ start, end, price }: Interval): string => `${start} ${end} ${Math.round(price * 1e4)}`;

const isOf = (series: string, eic: string): boolean =>
  (said(series, 'in_Domain.mRID') ?? eic).toUpperCase() === eic &&
  (said(series, 'currency_Unit.name') ?? 'EUR').toUpperCase() === 'EUR' &&
  (said(series, 'price_Measure_Unit.name') ?? 'MWH').toUpperCase() === 'MWH';

function pricesOf(period: string, resolution: string, isBlocks: boolean): Interval[] {
  const stepMs = (minutes[resolution] ?? Number.NaN) * 60_000;
  const begin = Date.parse(said(period, 'start') ?? '');
  const count = (Date.parse(said(period, 'end') ?? '') - begin) / stepMs;
  const prices = new Map(
    inside(period, 'Point').map((point) => [Number(said(point, 'position')), Number(said(point, 'price.amount'))]),
  );
  const intervals: Interval[] = [];
  let last: number | undefined;
  for (let position = 1; position <= count; position++) {
    last = prices.get(position) ?? (isBlocks ? last : undefined);
    const start = begin + (position - 1) * stepMs;
    if (last !== undefined) intervals.push({ start, end: start + stepMs, price: last });
  }
  return intervals;
}
