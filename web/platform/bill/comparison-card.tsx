import type { SiteBill } from '#contract/cloud/bill.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { Card, Table } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { dateRange, energy, money, percent, texts } from '../../parts/text.ts';
import { billIfKnown, isMeasured } from './earlier-bill.ts';
import { type BillPeriod, earlier } from './period.ts';

const t = texts({
  title: 'Compared with earlier periods',
  period: 'Period',
  cost: 'Cost',
  bought: 'Bought',
  difference: 'Difference',
  noData: 'Not enough data',
  equal: 'Earlier periods are compared until the same day and time.',
});

const backs = ['before', 'yearBefore'] as const;

type ComparisonProps = { site: SiteDetails; period: BillPeriod; bill: SiteBill; nowMs: number; turn: number };

export function ComparisonCard({ site, period, bill, nowMs, turn }: ComparisonProps) {
  const loaded = useLoad(
    (signal) =>
      Promise.all(backs.map((back) => billIfKnown(site.id, earlier(period, back, nowMs, site.timezone), signal))),
    [],
    turn,
  );
  const { currency, timezone } = bill;
  const isShown = (row: SiteBill): boolean => row === bill || isMeasured(row);
  return (
    <Card title={t('title')} class="wide">
      <Loaded from={loaded}>
        {(others) => (
          <Table
            caption={t('title')}
            rows={[bill, ...others.filter((other) => other !== undefined)]}
            keyOf={({ metadata }) => metadata.from}
            columns={[
              {
                title: t('period'),
                show: ({ metadata: { from, to } }) => dateRange(Date.parse(from), Date.parse(to), timezone),
              },
              {
                title: t('bought'),
                isNumber: true,
                show: (row) => (isShown(row) ? energy(row.metadata.import_kwh * 1000) : t('noData')),
              },
              { title: t('cost'), isNumber: true, show: (row) => (isShown(row) ? money(row.total, currency) : '') },
              {
                title: t('difference'),
                isNumber: true,
                show: (row) =>
                  row === bill || !isMeasured(row) ? '' : differenceText(bill.total, row.total, currency),
              },
            ]}
          />
        )}
      </Loaded>
      {period.isRunning && <p class="says">{t('equal')}</p>}
    </Card>
  );
}

function differenceText(total: number, earlierTotal: number, currency: string): string {
  const change = total - earlierTotal;
  const sign = change > 0 ? '+' : '';
  const share = earlierTotal > 0 ? ` (${sign}${percent(change / earlierTotal)})` : '';
  return `${sign}${money(change, currency)}${share}`;
}
