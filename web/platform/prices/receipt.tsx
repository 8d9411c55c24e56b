import { readTaxRule } from '#contract/price/tariff-rules.ts';
import type { Part } from '#contract/price/total.ts';
import { day, money } from '../../parts/format.ts';
import { texts } from '../../parts/text.ts';
import { partName, perKwh, timeSpan } from './price-words.ts';
import type { Slot } from './slots.ts';

const t = texts({
  en: {
    unknown: 'The price of this time is not known.',
    parts: 'The parts of the price, {time}',
    part: 'Part',
    amount: 'For a kWh',
    total: 'Total',
    yours: 'what you gave',
    fullTax: 'energy tax of {year}, full rate',
    reducedTax: 'energy tax of {year}, reduced in the north',
    unknownTax: 'that of {year} is not known',
    now: 'now',
  },
  sv: {
    unknown: 'Priset för den här tiden är inte känt.',
    parts: 'Prisets delar, {time}',
    part: 'Del',
    amount: 'För en kWh',
    total: 'Totalt',
    yours: 'det du angav',
    fullTax: 'energiskatt för {year}, full skattesats',
    reducedTax: 'energiskatt för {year}, nedsatt i norr',
    unknownTax: 'den för {year} är inte känd',
    now: 'nu',
  },
});

const digits = 4; // the parts of a price are often smaller than the smallest coin

type ReceiptProps = { slot: Slot; currency: string; timeZone: string | undefined; isNow: boolean };

/** What one interval costs: every part with who says so, and by which rule. */
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

const ownSource = 'your request'; // what the service calls whoever asks

const saysOf = ({ source, rule }: Part): string =>
  [source === ownSource ? t('yours') : source, rule && ruleWords(rule)].filter(Boolean).join(', ');

/** Tariffs are in the language of their grid operator; the rule of the tax is ours. */
function ruleWords(rule: string): string {
  const tax = readTaxRule(rule);
  if (!tax) return rule;
  const words = [t(tax.isReduced ? 'reducedTax' : 'fullTax', { year: tax.year })];
  if (tax.unknownYear) words.push(t('unknownTax', { year: tax.unknownYear }));
  return words.join(', ');
}
