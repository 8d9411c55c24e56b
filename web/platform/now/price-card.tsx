import type { SiteDetails } from '#contract/cloud/sites.ts';
import type { TotalInterval } from '#contract/price/total.ts';
import { hourMs } from '#contract/time.ts';
import { Card, Figure } from '../../parts/card.tsx';
import { money, timeOfDay } from '../../parts/format.ts';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { AssumedTariffs, SimulatedTag } from '../market/assumed-tariffs.tsx';
import { loadTotalIfKnown, priceApi, termsOfSite } from '../market/total-price.ts';
import { hourScale } from './hour-scale.ts';

const t = texts({
  title: ['Electricity price', 'Elpris'],
  perKwh: ['per kWh, now', 'per kWh just nu'],
  noArea: ['Set the price area to see electricity prices.', 'Ange elområde för att se elpriser.'],
  set: ['Site settings', 'Anläggningens inställningar'],
  none: ['No price available for this hour.', 'Inget pris finns för den här timmen.'],
  noTariff: [
    'Grid fees are not included: the site’s grid tariff has no known prices for today.',
    'Nätavgift ingår inte: det finns inga kända priser för anläggningens elnätstariff i dag.',
  ],
  more: ['All prices', 'Alla priser'],
  hours: ['Next hours', 'Kommande timmar'],
  cheapest: ['Cheapest at {time}: {price}', 'Billigast kl. {time}: {price}'],
  to: ['{from}–{to}, {price}', '{from}–{to}, {price}'],
});

const shownHours = 12;

export function PriceCard({ site }: { site: SiteDetails }) {
  const { price_area, tariff_id, latitude, longitude, timezone, id } = site;
  const loaded = useLoad(
    async (signal) => {
      const terms = termsOfSite(site);
      return terms ? ((await loadTotalIfKnown(priceApi, {}, terms, signal)) ?? 'unknown') : null;
    },
    [price_area, tariff_id, latitude, longitude],
    Math.floor(now.value / hourMs),
  );
  return (
    <Card title={t('title')} beside={<Link to={`/app/sites/${id}/prices`}>{t('more')}</Link>}>
      <Loaded from={loaded}>
        {(found) => {
          if (!found) {
            return (
              <p class="says">
                {t('noArea')} <Link to={`/app/sites/${id}/settings`}>{t('set')}</Link>
              </p>
            );
          }
          if (found === 'unknown') return <p class="says">{t('none')}</p>;
          const { price: total, refusal } = found;
          const coming = total.intervals.filter(({ end }) => Date.parse(end) > now.value).slice(0, shownHours);
          const current = coming.find(({ start }) => Date.parse(start) <= now.value);
          const price = (amount: number): string => money(amount, total.currency);
          return (
            <>
              {current ? <Figure label={t('perKwh')} value={price(current.total)} /> : <p class="says">{t('none')}</p>}
              <SimulatedTag of={total.metadata} />
              {refusal && <p class="says">{t('noTariff')}</p>}
              <AssumedTariffs of={total.metadata} />
              <Hours coming={coming} price={price} timeZone={timezone} />
            </>
          );
        }}
      </Loaded>
    </Card>
  );
}

type HoursProps = { coming: TotalInterval[]; price(amount: number): string; timeZone: string | undefined };

function Hours({ coming, price, timeZone }: HoursProps) {
  const [first, last] = [coming[0], coming.at(-1)];
  if (!first || !last || first === last) return null;
  const { barOf, zero } = hourScale(coming.map(({ total }) => total));
  const cheapest = coming.reduce((least, next) => (next.total < least.total ? next : least));
  const time = (text: string): string => timeOfDay(Date.parse(text), timeZone);
  return (
    <>
      <ul class="hours" aria-label={t('hours')} style={{ '--zero': `${zero}%` }}>
        {coming.map(({ start, end, total }) => {
          const words = t('to', { from: time(start), to: time(end), price: price(total) });
          const { bottom, height } = barOf(total);
          const classes = [Date.parse(start) <= now.value ? 'here' : '', total < 0 ? 'below' : ''];
          return (
            <li
              key={start}
              title={words}
              class={classes.join(' ')}
              style={{ bottom: `${bottom}%`, height: `${height}%` }}
            >
              <span class="hidden">{words}</span>
            </li>
          );
        })}
      </ul>
      <div class="hours-scale says">
        <span>{time(first.start)}</span>
        <span>{t('cheapest', { time: time(cheapest.start), price: price(cheapest.total) })}</span>
        <span>{time(last.end)}</span>
      </div>
    </>
  );
}
