import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Loading } from '../../parts/notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { texts } from '../../parts/text.ts';
import { FaultsCard } from './faults-card.tsx';
import { HomeCard } from './home-card.tsx';
import { TruthCard } from './truth-card.tsx';
import { WeatherCard } from './weather-card.tsx';
import './street.css';
import { getSimulation, resetSimulation } from '#contract/simulation.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { Failed, Notice } from '../../parts/notice.tsx';
import { api } from '../session.ts';
import { simulation } from '../simulation.ts';

const t = texts({
  en: {
    title: 'Street',
    says: 'A sun, a home and the houses beside it, all played on this machine. Change something, and watch it arrive.',
    simulated: 'Nothing here is real: every device is played, on real wires.',
    reset: 'Leave it to itself again',
  },
  sv: {
    title: 'Gatan',
    says: 'En sol, ett hem och husen bredvid, allt spelat på den här datorn. Ändra något och se det komma fram.',
    simulated: 'Inget här är på riktigt: varje enhet spelas, på riktiga ledningar.',
    reset: 'Låt den sköta sig själv igen',
  },
});

const lookMs = 1000;

const problem = signal<unknown>(undefined);

async function look(): Promise<void> {
  try {
    simulation.value = await api().call(getSimulation);
    problem.value = undefined;
  } catch (error) {
    problem.value = error;
  }
}

export default function StreetPage() {
  useEffect(() => {
    void look();
    const timer = setInterval(() => !document.hidden && void look(), lookMs);
    return () => clearInterval(timer);
  }, []);
  const played = simulation.value;
  return (
    <>
      <PageHead title={t('title')} says={t('says')}>
        <ResetButton />
      </PageHead>
      <Notice tone="warning">{t('simulated')}</Notice>
      {problem.value !== undefined && <Failed problem={problem.value} />}
      {!played && problem.value === undefined && <Loading />}
      {played && (
        <div class="cards">
          <WeatherCard weather={played.weather} />
          <HomeCard home={played.home} />
          <TruthCard simulation={played} />
          <FaultsCard devices={played.devices} />
        </div>
      )}
    </>
  );
}

function ResetButton() {
  const reset = useAction(async () => {
    simulation.value = await api().call(resetSimulation);
  });
  return (
    <>
      <ActionButton does={reset} tone="plain">
        {t('reset')}
      </ActionButton>
      {reset.problem !== undefined && <Failed problem={reset.problem} />}
    </>
  );
}
