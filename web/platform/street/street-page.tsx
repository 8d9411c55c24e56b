import { getSimulation, resetSimulation } from '#contract/simulation.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { useLoad } from '../../parts/load.tsx';
import { Failed, Loading, Notice } from '../../parts/notice.tsx';
import { now } from '../../parts/now.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { simulation } from '../simulation.ts';
import { ComparisonCard } from './comparison-card.tsx';
import { FaultsCard, HomeCard } from './home-card.tsx';
import { WeatherCard } from './weather-card.tsx';
import './street.css';

const t = texts({
  title: ['Simulation', 'Simulering'],
  says: [
    'Change the weather or the home and see how the platform responds.',
    'Ändra vädret eller hemmet och se hur plattformen reagerar.',
  ],
  simulated: [
    'All devices here are simulated. The gateway reads them over real connections.',
    'Alla enheter här är simulerade. Gatewayen läser av dem över riktiga anslutningar.',
  ],
  reset: ['Reset simulation', 'Återställ simuleringen'],
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
      <PageHead title={t('title')} says={t('says')}>
        <ActionButton does={reset} tone="plain">
          {t('reset')}
        </ActionButton>
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
