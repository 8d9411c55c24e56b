import { signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type Command, listCommands } from '#contract/cloud/commands.ts';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { Empty, Notice } from '../../parts/notice.tsx';
import { timeNow } from '../../parts/now.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { type Live, useLive } from '../live.ts';
import { useMay } from '../permissions.ts';
import { api } from '../session.ts';
import { LiveStatus, sitePage } from '../site-page.tsx';
import { type CommandLists, mergeCommand } from './commands.ts';
import { controllablesOf, type SiteControl } from './controllable.ts';
import { DerCard } from './der-card.tsx';
import { RecentCommands } from './recent-commands.tsx';
import { ReleaseAll } from './release-all.tsx';
import './control.css';

const t = texts({
  title: ['Control', 'Styrning'],
  refused: [
    'You can view this page, but only operators can control devices.',
    'Du kan se sidan, men bara operatörer kan styra enheterna.',
  ],
  ask: ['See who can change your role', 'Se vem som kan ändra din roll'],
  none: ['No controllable devices', 'Inga styrbara enheter'],
  noneSays: [
    'Add a battery, a solar inverter or an EV charger to this site to control it here.',
    'Lägg till ett batteri, en solväxelriktare eller en laddbox i anläggningen för att styra den här.',
  ],
  devices: ['Go to devices', 'Gå till enheter'],
});

const perDer = 20;

/** Loads the commands of these DERs and keeps them up to date. */
function useCommands(derIds: readonly string[], live: Live) {
  const lists = useMemo(() => signal<CommandLists>(new Map()), []);
  const addCommand = (command: Command): void => {
    lists.value = mergeCommand(lists.peek(), command);
  };
  const loading = useLoad<true>(
    async (leaving) => {
      const found = await Promise.all(
        derIds.map((der_id) =>
          api().call(listCommands, { params: { der_id }, query: { limit: perDer }, signal: leaving }),
        ),
      );
      found.flat().forEach(addCommand);
      return true;
    },
    [derIds.join()],
  );
  const { again } = loading;
  useEffect(() => {
    return live.listen((event) => {
      if (event.type === 'command') addCommand(event.data);
      if (event.type === 'connected') again(); // the stream does not replay command events
    });
  }, [live, again]);
  return { lists, loading, addCommand };
}

export default sitePage(function ControlPage({ site }) {
  const live = useLive(site.id);
  const parts = controllablesOf(site.devices);
  const { lists, loading, addCommand } = useCommands(
    parts.map(({ id }) => id),
    live,
  );
  const mayControl = useMay(site.org_id, 'control');
  const releaseRequests = useSignal<ReadonlyMap<string, number>>(new Map());
  if (parts.length === 0) {
    return (
      <>
        <PageHead title={t('title')} says={site.name} />
        <Empty title={t('none')}>
          <p>{t('noneSays')}</p>
          <Link class="button" to={`/app/sites/${site.id}/devices`}>
            {t('devices')}
          </Link>
        </Empty>
      </>
    );
  }
  const control: SiteControl = {
    site,
    parts,
    mayControl,
    readings: live.readings.value,
    lists: lists.value,
    releaseRequests: releaseRequests.value,
    addCommand,
    noteRelease: (commands) => {
      const noted = commands.map(({ id }) => [id, timeNow()] as const);
      releaseRequests.value = new Map([...releaseRequests.peek(), ...noted]);
    },
  };
  return (
    <>
      <PageHead title={t('title')} says={site.name} />
      <ReleaseAll control={control} isLoaded={loading.value !== undefined} />
      {!mayControl && (
        <div class="control-refused">
          <Notice>
            <p>
              {t('refused')} <Link to={`/app/organizations/${site.org_id}`}>{t('ask')}</Link>
            </p>
          </Notice>
        </div>
      )}
      <LiveStatus live={live} />
      <Loaded from={loading}>
        {() => (
          <>
            <div class="cards">
              {parts.map((part, index) => (
                <DerCard key={part.id} part={part} control={control} isFirst={index === 0} />
              ))}
            </div>
            <RecentCommands control={control} />
          </>
        )}
      </Loaded>
    </>
  );
});
