import { billCsv, type SiteBill } from '#contract/cloud/bill.ts';
import { Button } from '../../parts/action.tsx';
import { download } from '../../parts/download.ts';
import { Card } from '../../parts/layout.tsx';
import { dateAndTime, money, number, percent, texts } from '../../parts/text.ts';
import { type BillLine, lineName, linePrice, lineQuantity, linesOf, payees, sumOf } from './bill-words.ts';

const t = texts({
  title: 'Line by line',
  supplier: 'Electricity supplier',
  grid: 'Grid',
  state: 'State',
  line: 'Item',
  quantity: 'bill|Quantity',
  price: 'Price before VAT',
  amount: 'Amount',
  print: 'Print',
  csv: 'Download CSV',
  share: '{share} of the month',
  peaks: 'Mean of: {peaks}',
  step: 'By: {peaks}',
  peak: '{kw} kW on {time}',
});

type LinesProps = { bill: SiteBill; name: string };

export function LinesCard({ bill, name }: LinesProps) {
  const { lines, currency, total, timezone } = bill;
  const actions = (
    <div class="actions">
      <Button label={t('csv')} onClick={() => download(`bill-${name}.csv`, billCsv(bill), 'text/csv')} />
      <Button label={t('print')} onClick={() => print()} />
    </div>
  );
  return (
    <Card title={t('title')} class="wide" beside={actions}>
      <table class="bill-lines">
        <caption class="hidden">{t('title')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('line')}</th>
            <th scope="col" class="number">
              {t('quantity')}
            </th>
            <th scope="col" class="number">
              {t('price')}
            </th>
            <th scope="col" class="number">
              {t('amount')}
            </th>
          </tr>
        </thead>
        {payees.map((payee) => {
          const own = linesOf(lines, payee);
          return (
            own.length > 0 && (
              <tbody key={payee}>
                <tr class="payee">
                  <th scope="rowgroup" colSpan={3}>
                    {t(payee)}
                  </th>
                  <td class="number">{money(sumOf(own), currency)}</td>
                </tr>
                {own.map((line, n) => (
                  <LineRow key={n} line={line} currency={currency} timeZone={timezone} />
                ))}
              </tbody>
            )
          );
        })}
        <tfoot>
          <tr>
            <th scope="row" colSpan={3}>
              {t('total')}
            </th>
            <td class="number">{money(total, currency)}</td>
          </tr>
        </tfoot>
      </table>
    </Card>
  );
}

type LineProps = { line: BillLine; currency: string; timeZone: string };

function LineRow({ line, currency, timeZone }: LineProps) {
  const { name, own, days } = lineName(line);
  const { share, peaks, unit } = line;
  const details = [own, days, share !== undefined && t('share', { share: percent(share) })].filter(Boolean).join(', ');
  return (
    <tr>
      <td>
        {name}
        {details && <span class="says">{details}</span>}
        {peaks && peaks.length > 0 && (
          <span class="says">
            {t(unit === 'kW' ? 'peaks' : 'step', {
              peaks: peaks
                .map(({ start, kw }) =>
                  t('peak', { kw: number(kw, 2), time: dateAndTime(Date.parse(start), timeZone) }),
                )
                .join('; '),
            })}
          </span>
        )}
      </td>
      <td class="number">{lineQuantity(line, currency)}</td>
      <td class="number">{linePrice(line, currency)}</td>
      <td class="number">{money(line.amount, currency)}</td>
    </tr>
  );
}
