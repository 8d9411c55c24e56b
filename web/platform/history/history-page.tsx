import { useComputed } from '@preact/signals';
import { minuteMs } from '#contract/time.ts';
import { Loaded } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { pageUrl } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { sitePage } from '../site-page.tsx';
import { ChartsCard } from './charts-card.tsx';
import { onlyFor, rangeOf } from './range.ts';
import { RangeBar, rangeText } from './range-bar.tsx';
import { TotalsCard } from './totals-card.tsx';
import { useSiteHistory } from './use-site-history.ts';
import './history.css';

const t = texts({ title: ['History', 'Historik'] });

export default sitePage(function HistoryPage({ site }) {
  const timeZone = site.timezone;
  const { value: nowMs } = useComputed(() => Math.floor(now.value / minuteMs) * minuteMs);
  const range = rangeOf(pageUrl.value.searchParams, nowMs, timeZone); // a following range moves with the clock
  const { from, to } = range;
  const measured = useSiteHistory({ siteId: site.id, timeZone, span: { from, to }, nowMs });
  const isCompared = pageUrl.value.searchParams.has('compare');
  const current = onlyFor(measured, range);
  const isOld = measured.value !== undefined && current.value === undefined;
  return (
    <>
      <PageHead title={t('title')} says={`${site.name} · ${rangeText(range, timeZone)}`} />
      <RangeBar range={range} nowMs={nowMs} timeZone={timeZone} />
      <div class="history" aria-busy={isOld}>
        {/* After a failure, do not show the totals of another range. */}
        <Loaded from={measured.problem === undefined ? measured : current} lines={8}>
          {(value) => (
            <>
              {value.buckets.ranges.length > 0 && (
                <TotalsCard site={site} range={range} measured={value} nowMs={nowMs} isCompared={isCompared} />
              )}
              <ChartsCard site={site} measured={value} nowMs={nowMs} />
            </>
          )}
        </Loaded>
      </div>
    </>
  );
});
