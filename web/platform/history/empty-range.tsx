import type { SiteDetails } from '#contract/cloud/sites.ts';
import { dateAt } from '#contract/time-zone.ts';
import { Empty } from '../../parts/layout.tsx';
import { LinkButton } from '../../parts/router.tsx';
import { fullDay, texts } from '../../parts/text.ts';

const t = texts({
  title: 'No data for this period',
  last: 'Go to the last day with data: {day}',
  never: 'No device at this site has sent data yet.',
});

export function EmptyRange({ site: { id, devices, timezone } }: { site: SiteDetails }) {
  const seen = devices.flatMap(({ last_seen }) => (last_seen ? [Date.parse(last_seen)] : []));
  const last = seen.length > 0 ? Math.max(...seen) : undefined;
  return (
    <Empty title={t('title')}>
      {last === undefined && <p>{t('never')}</p>}
      <div class="actions">
        {last !== undefined && (
          <LinkButton
            tone="main"
            to={`/app/sites/${id}/history?range=day&date=${dateAt(timezone, last)}`}
            label={t('last', { day: fullDay(last, timezone) })}
          />
        )}
        <LinkButton to={`/app/sites/${id}/devices`} label={t('goToDevices')} />
      </div>
    </Empty>
  );
}
