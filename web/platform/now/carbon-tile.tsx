import type { SiteDetails } from '#contract/cloud/sites.ts';
import { Failed } from '../../parts/layout.tsx';
import { mass, texts, timeOfDay } from '../../parts/text.ts';
import { useCarbonOfDay } from '../carbon.ts';
import { Tile } from './today-tiles.tsx';

const t = texts({
  carbon: 'CO₂ of imported electricity',
  today: 'Today by {time}',
  yesterday: 'Yesterday by {time}: {value}',
});

/** Shows the carbon dioxide of today; nothing where it is unknown. So it is the last on its page, where it moves nothing. */
export function CarbonTile({ site }: { site: SiteDetails }) {
  const { value, problem, again } = useCarbonOfDay(site);
  if (!value) return <Failed problem={problem} again={again} />;
  const { today, yesterday } = value;
  const time = timeOfDay(Date.parse(today.to), today.timezone);
  const more = yesterday ? t('yesterday', { time, value: mass(yesterday.carbon_g) }) : t('today', { time });
  const to = `/app/sites/${site.id}/history?range=day`;
  return (
    <div class="tiles">
      <Tile to={to} label={t('carbon')} value={mass(today.carbon_g)} more={[more]} />
    </div>
  );
}
