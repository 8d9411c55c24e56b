import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { getSimulation, resetSimulation } from '#contract/simulation.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { Failed, Loading, Notice } from '../../parts/notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { simulation } from '../simulation.ts';
import { ComparisonCard } from './comparison-card.tsx';
import { FaultsCard } from './faults-card.tsx';
import { HomeCard } from './home-card.tsx';
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

const problem = signal<unknown>(undefined);

async function refresh(): Promise<void> {
  try {
    simulation.value = await api().call(getSimulation);
    problem.value = undefined;
  } catch (error) {
    problem.value = error;
  }
}

export default function StreetPage() {
  useEffect(() => {
    void refresh();
    const timer = setInterval(() => !document.hidden && void refresh(), refreshMs);
    return () => clearInterval(timer);
  }, []);
  const played = simulation.value;
  return (
    <>
      <PageHead title={t('title')} says={t('says')}>
        <ResetButton />
      </PageHead>
      <Notice tone="warning">{t('simulated')}</Notice>
      <Failed problem={problem.value} />
      {!played && problem.value === undefined && <Loading />}
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

function ResetButton() {
  const reset = useAction(async () => (simulation.value = await api().call(resetSimulation)));
  return (
    <ActionButton does={reset} tone="plain">
      {t('reset')}
    </ActionButton>
  );
}
