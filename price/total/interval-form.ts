import type { PartKind } from '#contract/price/total.ts';
import type { Charge, PricedInterval } from './charges.ts';
import { widthOf } from './decimal-bytes.ts';
import type { Terms } from './terms.ts';

/** The JSON text of intervals that differ in nothing but their times and the digits of their amounts, with room for these. */
export type IntervalForm = {
  bytes: Buffer;
  charges: readonly Charge[];
  source: string;
  /** where the times begin */
  start: number;
  end: number;
  /** each amount in the order of the text: how many bytes it takes, and where it ends */
  rooms: readonly { width: number; after: number }[];
};

/** The amounts of an interval in the order of its text, put into a list that serves for all of them. */
export function putAmounts({ markup, vat }: Terms, interval: PricedInterval, amounts: number[]): void {
  let count = 0;
  amounts[count++] = interval.total;
  amounts[count++] = interval.spot;
  if (markup !== undefined) amounts[count++] = markup;
  for (const amount of interval.charged) amounts[count++] = amount;
  if (vat) amounts[count++] = interval.vat;
  amounts.length = count;
}

const anyTime = '0000-00-00T00:00:00.000Z';

/** The form of an interval: what `showInterval` tells of it. */
export function makeForm(
  { markup, vat }: Terms,
  { source, charges }: PricedInterval,
  amounts: readonly number[],
): IntervalForm {
  let text = '';
  const rooms: IntervalForm['rooms'][number][] = [];
  const leaveRoom = (): void => {
    const width = widthOf(amounts[rooms.length]!);
    text += '0'.repeat(width);
    rooms.push({ width, after: Buffer.byteLength(text) });
  };
  const part = (kind: PartKind, from: string, rule?: string): void => {
    text += `${kind === 'spot' ? '' : ','}{"kind":"${kind}","amount":`;
    leaveRoom();
    text += `,"source":${JSON.stringify(from)}${rule === undefined ? '' : `,"rule":${JSON.stringify(rule)}`}}`;
  };

  text += `{"start":"${anyTime}","end":"${anyTime}","total":`;
  const [start, end] = [text.indexOf(anyTime), text.lastIndexOf(anyTime)];
  leaveRoom();
  text += ',"parts":[';
  part('spot', source);
  if (markup !== undefined) part('markup', 'your request');
  for (const charge of charges) part(charge.kind, charge.source, charge.rule);
  if (vat) part('vat', vat.source, `${vat.percent} %`);
  text += ']},';
  return { bytes: Buffer.from(text), charges, source, start, end, rooms };
}

export const fits = (form: IntervalForm, { source, charges }: PricedInterval, amounts: readonly number[]): boolean =>
  form.charges === charges &&
  form.source === source &&
  form.rooms.every(({ width }, n) => width === widthOf(amounts[n]!));
