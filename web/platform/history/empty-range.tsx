import type { SiteDetails } from '#contract/cloud/sites.ts';
import { dateAt } from '#contract/time-zone.ts';
import { fullDay } from '../../parts/format.ts';
import { Empty } from '../../parts/notice.tsx';
import { Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';

const t = texts({
  en: {
    title: 'Nothing was measured in this time',
    last: 'The last day with data: {day}',
    never: 'No device of this site has been heard yet.',
    devices: 'Its devices',
  },
  sv: {
    title: 'Inget mättes under den här tiden',
    last: 'Den senaste dagen med data: {day}',
    never: 'Ingen av anläggningens enheter har hörts ännu.',
    devices: 'Enheterna',
  },
});

/** Nothing to draw, and where there is something. */
export function EmptyRange({ site: { id, devices, timezone } }: { site: SiteDetails }) {
  const heard = devices.flatMap(({ last_seen }) => (last_seen ? [Date.parse(last_seen)] : []));
  const last = heard.length > 0 ? Math.max(...heard) : undefined;
  return (
    <Empty title={t('title')}>
      {last === undefined && <p>{t('never')}</p>}
      <div class="actions">
        {last !== undefined && (
          <Link class="button main" to={`/app/sites/${id}/history?range=day&date=${dateAt(timezone, last)}`}>
            {t('last', { day: fullDay(last, timezone) })}
          </Link>
        )}
        <Link class="button" to={`/app/sites/${id}/devices`}>
          {t('devices')}
        </Link>
      </div>
    </Empty>
  );
}
