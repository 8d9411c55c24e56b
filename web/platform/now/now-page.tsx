import { FlowCard } from '../../flow/flow-card.tsx';
import { gapsBefore } from '../bill/missing.tsx';
import { type Live, useLive } from '../live.ts';
import { LiveTag, NoDevices, SilentNotice } from '../live-tag.tsx';
import { LiveStatus, sitePage } from '../site-page.tsx';
import { flowsOf } from './flows.ts';
import './now.css';
import type { SiteReading } from '#contract/client/site-stream.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import type { TotalInterval } from '#contract/price/total.ts';
import { hourMs } from '#contract/time.ts';
import { Age } from '../../parts/age.tsx';
import { Card, Figure, PageHead } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { Link } from '../../parts/router.tsx';
import { money, number, texts, timeOfDay } from '../../parts/text.ts';
import { AssumedTariffs, SimulatedTag } from '../market/assumed-tariffs.tsx';
import { loadContractTerms } from '../market/contract-terms.ts';
import { loadTotalIfKnown, priceApi, termsOfSite } from '../market/total-price.ts';
import { currentsOf } from './currents.ts';
import { hourScale } from './hour-scale.ts';
import { MonthCard } from './month-card.tsx';
import { useMonth } from './today.ts';
import { TodayTiles } from './today-tiles.tsx';

const t = texts({
  phases: 'Phases and main fuse',
  of: '{amps} A of {fuse} A',
  amps: '{amps} A',
  unknown: 'No recent data from the meter.',
  noCurrents: 'The meter does not report currents.',
  noFuse: 'Set the main fuse to see the available capacity.',
  set: 'Site settings',
  left: '{amps} A available on the most loaded phase',
  over: 'The most loaded phase exceeds the fuse by {amps} A.',
  perKwh: 'per kWh, now',
  noArea: 'Set the price area to see electricity prices.',
  noPrice: 'No price available for this hour.',
  noTariff: 'Grid fees are not included: the site’s grid tariff has no known prices for today.',
  more: 'All prices',
  hours: 'Next hours',
  cheapest: 'Cheapest at {time}: {price}',
  to: '{from}–{to}, {price}',
});

export default sitePage(function NowPage({ site }) {
  const live = useLive(site.id);
  if (site.devices.length === 0) {
    return (
      <>
        <PageHead title={site.name} />
        <NoDevices site={site} />
      </>
    );
  }
  return (
    <>
      <PageHead title={site.name}>
        <LiveTag site={site} live={live} />
      </PageHead>
      <LiveStatus live={live} />
      <SilentNotice site={site} live={live} />
      <Home site={site} live={live} />
    </>
  );
});

type HomeProps = { site: SiteDetails; live: Live };

const laterMs = 1000; // the first values, prices and costs have the connection to themselves until then
const nothing = Promise.resolve(undefined);

/** Loads what is below the rest. */
async function loadRest() {
  await new Promise((resolve) => setTimeout(resolve, laterMs));
  const [{ NextCard }, { CarbonTile }] = await Promise.all([
    import('../plan/next-card.tsx'),
    import('./carbon-tile.tsx'),
  ]);
  return { NextCard, CarbonTile };
}

function Home({ site, live }: HomeProps) {
  const hasBill = gapsBefore(site).length === 0;
  const month = useMonth(site, hasBill);
  const hasValues = live.readings.value.size > 0;
  const { value: rest } = useLoad(() => (hasValues ? loadRest() : nothing), [hasValues]);
  return (
    <>
      <TodayTiles site={site} month={month} />
      <Flows site={site} live={live} />
      {rest && <rest.NextCard site={site} />}
      {hasBill && <MonthCard site={site} month={month} />}
      {rest && hasBill && <rest.CarbonTile site={site} />}
    </>
  );
}

/** The values that change with every reading. */
function Flows({ site, live }: HomeProps) {
  const flows = flowsOf(site.devices, live.readings.value, now.value);
  return (
    <>
      <FlowCard flows={flows} />
      <div class="cards">
        <PriceCard site={site} />
        <PhasesCard grid={flows.grid} fuse={site.fuse_a} siteId={site.id} />
      </div>
    </>
  );
}

const nearlyFull = 0.8; // most fuses carry more for an hour, none for a day

type PhasesProps = { grid: SiteReading | undefined; fuse: number | undefined; siteId: string };

/** Shows the current of each phase against the main fuse, in either direction. */
function PhasesCard({ grid, fuse, siteId }: PhasesProps) {
  const currents = currentsOf(grid, now.value);
  const fullest = currents && currents.length > 0 ? Math.max(...currents.map(({ amps }) => amps)) : undefined;
  return (
    <Card title={t('phases')} beside={<Age ms={grid?.timestamp} />}>
      {currents === undefined && <p class="says">{t('unknown')}</p>}
      {currents?.length === 0 && <p class="says">{t('noCurrents')}</p>}
      <div class="phases">
        {currents?.map(({ phase, amps }) => (
          <div class="phase" key={phase}>
            <span>{phase}</span>
            {fuse === undefined ? (
              <span />
            ) : (
              <meter
                aria-label={phase}
                min={0}
                max={fuse}
                low={fuse * nearlyFull}
                high={fuse * 0.95}
                optimum={0}
                value={Math.min(amps, fuse)}
              />
            )}
            <span class="number">
              {t(fuse === undefined ? 'amps' : 'of', { amps: number(amps, 1), fuse: number(fuse ?? 0) })}
            </span>
          </div>
        ))}
      </div>
      {fuse === undefined ? (
        <p class="says">
          {t('noFuse')} <Link to={`/app/sites/${siteId}/settings`}>{t('set')}</Link>
        </p>
      ) : (
        fullest !== undefined && (
          <p class="says">{t(fullest > fuse ? 'over' : 'left', { amps: number(Math.abs(fuse - fullest), 1) })}</p>
        )
      )}
    </Card>
  );
}

const shownHours = 12;

function PriceCard({ site }: { site: SiteDetails }) {
  const { price_area, tariff_id, latitude, longitude, timezone, id } = site;
  const loaded = useLoad(
    async (signal) => {
      const terms = price_area ? termsOfSite(site, await loadContractTerms(site, signal)) : undefined;
      return terms ? ((await loadTotalIfKnown(priceApi, {}, terms, signal)) ?? 'unknown') : null;
    },
    [price_area, tariff_id, latitude, longitude],
    Math.floor(now.value / hourMs),
  );
  return (
    <Card title={t('electricityPrice')} beside={<Link to={`/app/sites/${id}/prices`}>{t('more')}</Link>}>
      <Loaded from={loaded}>
        {(found) => {
          if (!found) {
            return (
              <p class="says">
                {t('noArea')} <Link to={`/app/sites/${id}/settings`}>{t('set')}</Link>
              </p>
            );
          }
          if (found === 'unknown') return <p class="says">{t('noPrice')}</p>;
          const { price: total, refusal } = found;
          const coming = total.intervals.filter(({ end }) => Date.parse(end) > now.value).slice(0, shownHours);
          const current = coming.find(({ start }) => Date.parse(start) <= now.value);
          const price = (amount: number): string => money(amount, total.currency);
          return (
            <>
              {current ? (
                <Figure label={t('perKwh')} value={price(current.total)} />
              ) : (
                <p class="says">{t('noPrice')}</p>
              )}
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
