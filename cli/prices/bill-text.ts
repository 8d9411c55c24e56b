import type { Bill, BillLine } from '#contract/price/total.ts';
import { formatNumber } from '../line/quantity.ts';
import { formatLocalTime } from '../line/time.ts';
import { columns } from '../terminal/output.ts';
import { describeArea, formatPrice } from './price-words.ts';

export const formatMoney = (amount: number): string => (amount + 0).toFixed(2);

/** Describes a bill: its area, range and energy, and a table of its lines and peaks. */
export function billParagraphs(bill: Bill, timeZone: string): string[] {
  const { currency, lines, total, metadata } = bill;
  const clock = (time: string): string => formatLocalTime(timeZone, Date.parse(time));
  const priceOf = ({ kind, price }: BillLine): string => (kind === 'vat' ? '' : formatPrice(price));
  const isSplit = lines.some(({ kind, from }) => kind !== 'power' && from !== undefined);
  const nameOf = ({ name, kind, from, share }: BillLine): string => {
    const part = share === undefined ? name : `${name}, ${Math.round(share * 100)} % of the month`;
    return isSplit && kind !== 'power' && from ? `${part} from ${from}` : part;
  };
  const rows = lines.flatMap((line) => [
    [nameOf(line), formatNumber(line.quantity), line.unit, priceOf(line), formatMoney(line.amount)],
    ...(line.peaks ?? []).map((peak) => [`  peak ${clock(peak.start)}`, formatNumber(peak.kw), 'kW', '', '']),
  ]);
  const table = [['', 'QUANTITY', 'UNIT', 'PRICE', currency], ...rows, ['Total', '', '', '', formatMoney(total)]];
  const used = `${formatNumber(metadata.import_kwh)} kWh used`;
  const sold = metadata.export_kwh > 0 ? ` and ${formatNumber(metadata.export_kwh)} kWh sold` : '';
  return [
    `${describeArea(bill)}, ${clock(metadata.from)} to ${clock(metadata.to)} (${timeZone}): ${used}${sold}`,
    columns(table, [1, 3, 4]),
  ];
}
