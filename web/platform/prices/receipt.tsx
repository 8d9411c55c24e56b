import { readTaxRule } from '#contract/price/tariff-rules.ts';
import type { Part } from '#contract/price/total.ts';
import { day, money, texts } from '../../parts/text.ts';
import { partName, perKwh, timeSpan } from './price-words.ts';
import type { PriceSlot } from './slots.ts';

const t = texts({
  unknown: 'No price available for this time.',
  parts: 'Price breakdown, {time}',
  part: 'Component',
  amount: 'Per kWh',
  yours: 'entered by you',
  fullTax: 'energy tax {year}, full rate',
  reducedTax: 'energy tax {year}, reduced rate (northern Sweden)',
  unknownTax: 'the {year} rate is not known',
  now: 'now',
});

const digits = 4; // price components are often smaller than the smallest coin

type ReceiptProps = { slot: PriceSlot; currency: string; timeZone: string | undefined; isNow: boolean };

export function Receipt({ slot: { start, end, interval }, currency, timeZone, isNow }: ReceiptProps) {
  const time = `${day(start, timeZone)}, ${timeSpan(start, end, timeZone)}`;
  const amount = (value: number): string => money(value, currency, digits);
  return (
    <section class="receipt" aria-label={t('parts', { time })}>
      <h3>
        {time} {isNow && <span class="tag good">{t('now')}</span>}
      </h3>
      {interval ? <b class="receipt-total">{perKwh(interval.total, currency)}</b> : <p class="says">{t('unknown')}</p>}
      {interval && (
        <table>
          <caption class="hidden">{t('parts', { time })}</caption>
          <thead>
            <tr>
              <th scope="col">{t('part')}</th>
              <th scope="col" class="number">
                {t('amount')}
              </th>
            </tr>
          </thead>
          <tbody>
            {interval.parts.map((part, n) => (
              <tr key={n}>
                <th scope="row">
                  <span class={`price-swatch ${part.kind}`} />
                  {partName(part.kind)}
                  <span class="says">{saysOf(part)}</span>
                </th>
                <td class="number">{amount(part.amount)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">{t('total')}</th>
              <td class="number">{amount(interval.total)}</td>
            </tr>
          </tfoot>
        </table>
      )}
    </section>
  );
}

const ownSource = 'your request'; // how the price service names values of the request

const saysOf = ({ source, rule }: Part): string =>
  [source === ownSource ? t('yours') : source, rule && ruleWords(rule)].filter(Boolean).join(', ');

/** Translates tax rules; tariff rules stay in the grid operator's language. */
function ruleWords(rule: string): string {
  const tax = readTaxRule(rule);
  if (!tax) return rule;
  const words = [t(tax.isReduced ? 'reducedTax' : 'fullTax', { year: tax.year })];
  if (tax.unknownYear) words.push(t('unknownTax', { year: tax.unknownYear }));
  return words.join(', ');
}
