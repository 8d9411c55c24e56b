import type { SiteDetails } from '#contract/cloud/sites.ts';
import { Loaded } from '../../parts/load.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { texts } from '../../parts/text.ts';
import { useSite } from '../site.ts';
import { ChartsCard } from './charts-card.tsx';
import { RangeBar, rangeText } from './range-bar.tsx';
import { TotalsCard } from './totals-card.tsx';
import { useSiteHistory } from './use-site-history.ts';
import './history.css';
import { useComputed } from '@preact/signals';
import { minuteMs } from '#contract/time.ts';
import { now } from '../../parts/now.ts';
import { type Params, pageUrl } from '../../parts/router.tsx';
import { ofSpan, type Range, rangeOf } from './range.ts';

const t = texts({ en: { title: 'History' }, sv: { title: 'Historik' } });

export default function HistoryPage({ params }: { params: Params }) {
  const site = useSite(params.site!);
  return <Loaded from={site}>{(value) => <History key={value.id} site={value} />}</Loaded>;
}

function History({ site }: { site: SiteDetails }) {
  const timeZone = site.timezone;
  const { range, nowMs } = useRange(timeZone);
  const { from, to } = range;
  const measured = useSiteHistory({ siteId: site.id, timeZone, span: { from, to }, nowMs });
  const isCompared = pageUrl.value.searchParams.has('compare');
  const current = ofSpan(measured, range);
  const isOld = measured.value !== undefined && current.value === undefined;
  return (
    <>
      <PageHead title={t('title')} says={`${site.name} · ${rangeText(range, timeZone)}`} />
      <RangeBar range={range} nowMs={nowMs} timeZone={timeZone} />
      <div class="history" aria-busy={isOld}>
        {/* Figures of another range do not stand below a range that could not be loaded. */}
        <Loaded from={measured.problem === undefined ? measured : current} lines={8}>
          {(value) => (
            <>
              {value.buckets.starts.length > 0 && (
                <TotalsCard site={site} range={range} measured={value} nowMs={nowMs} isCompared={isCompared} />
              )}
              <ChartsCard site={site} measured={value} nowMs={nowMs} />
            </>
          )}
        </Loaded>
      </div>
    </>
  );
}

/** The range of the address, and the minute it is: a range that follows moves on with it. */
function useRange(timeZone: string | undefined): { range: Range; nowMs: number } {
  const minute = useComputed(() => Math.floor(now.value / minuteMs) * minuteMs);
  return { range: rangeOf(pageUrl.value.searchParams, minute.value, timeZone), nowMs: minute.value };
}
