import { getSite, listSites, type SiteDetails } from '#contract/cloud/sites.ts';
import { getSimulation, resetSimulation, type Simulation } from '#contract/simulation.ts';
import { sourceWords } from '../../flow/flows.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { directionWords } from '../../parts/der-words.ts';
import { Card, Failed, Loading, Notice, PageHead, Table } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { Link } from '../../parts/router.tsx';
import { power, texts } from '../../parts/text.ts';
import { useLive } from '../live.ts';
import { flowsOf } from '../now/flows.ts';
import { api } from '../session.ts';
import { simulation } from '../simulation.ts';
import { FaultsCard, HomeCard } from './home-card.tsx';
import { WeatherCard } from './weather-card.tsx';
import './street.css';

const t = texts({
  says: 'Change the weather or the home and see how the platform responds.',
  simulated: 'All devices here are simulated. The gateway reads them over real connections.',
  reset: 'Reset simulation',
  comparison: 'Simulated and measured values',
  what: 'Source',
  truth: 'Simulated',
  shown: 'source|Platform',
  street: 'The {houses} neighbouring homes: {pv} solar, {load} consumption.',
});

const refreshMs = 1000;

export default function StreetPage() {
  const loaded = useLoad(
    async (signal) => (simulation.value = await api().call(getSimulation, { signal })),
    [],
    Math.floor(now.value / refreshMs),
  );
  const reset = useAction(async () => (simulation.value = await api().call(resetSimulation)));
  const played = simulation.value;
  return (
    <>
      <PageHead title={t('simulation')} says={t('says')}>
        <ActionButton does={reset} tone="plain" label={t('reset')} />
      </PageHead>
      <Notice tone="warning">{t('simulated')}</Notice>
      <Failed problem={loaded.problem} />
      {!played && loaded.isLoading && <Loading />}
      {played && (
        <div class="cards">
          <WeatherCard weather={played.weather} />
          <HomeCard home={played.home} />
          <ComparisonCard simulation={played} />
          <FaultsCard devices={played.devices} />
        </div>
      )}
    </>
  );
}

const rows = [
  { kind: 'pv', source: 'sun', type: 'solar' },
  { kind: 'battery', source: 'battery', type: 'battery' },
  { kind: 'charger', source: 'car', type: 'ev_charger_port' },
  { kind: 'meter', source: 'grid', type: 'meter' },
  { kind: 'house', source: 'house', type: 'load' },
] as const;

type Row = (typeof rows)[number];

/** Finds the site with the simulated devices; null if the person has no access to it. */
async function findSimulatedSite({ devices }: Simulation, signal: AbortSignal): Promise<SiteDetails | null> {
  const serials = devices.map(({ sn }) => sn);
  for await (const { id } of api().pages(listSites)) {
    const site = await api().call(getSite, { params: { site_id: id }, signal });
    if (site.devices.some(({ hardware_id }) => serials.includes(hardware_id))) return site;
  }
  return null;
}

/** Compares simulated with measured values. */
function ComparisonCard({ simulation }: { simulation: Simulation }) {
  const site = useLoad((signal) => findSimulatedSite(simulation, signal), []);
  return <Loaded from={site}>{(value) => value && <Compared site={value} simulation={simulation} />}</Loaded>;
}

function Compared({ site, simulation: { home, street } }: { site: SiteDetails; simulation: Simulation }) {
  const live = useLive(site.id);
  const flows = flowsOf(site.devices, live.readings.value, now.value);
  const truth: Record<Row['kind'], number> = {
    pv: home.pv_w,
    battery: home.battery.power_w,
    charger: home.car.power_w,
    meter: home.grid_w,
    house: home.load_w,
  };
  const shown = ({ kind }: Row): number | undefined =>
    kind === 'house' ? flows.house : flows.parts.find((part) => part.kind === kind)?.watts;
  const words = (type: Row['type'], watts: number | undefined): string =>
    watts === undefined ? t('noData') : `${power(watts)}, ${directionWords(type, watts)}`;
  return (
    <Card title={t('comparison')} class="wide" beside={<Link to={`/app/sites/${site.id}`}>{t('goToLive')}</Link>}>
      <Table
        caption={t('comparison')}
        rows={rows}
        keyOf={({ kind }) => kind}
        columns={[
          { title: t('what'), show: ({ source }) => sourceWords(source) },
          { title: t('truth'), show: ({ kind, type }) => words(type, truth[kind]) },
          { title: t('shown'), show: (row) => words(row.type, shown(row)) },
        ]}
      />
      <p class="says">{t('street', { houses: street.houses, pv: power(street.pv_w), load: power(street.load_w) })}</p>
    </Card>
  );
}
