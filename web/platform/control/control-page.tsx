import { type Signal, signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type Command, heldCommand, listCommands } from '#contract/cloud/commands.ts';
import { type Load, Loaded, useLoad } from '../../parts/load.tsx';
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
import { controllablesOf } from './controllable.ts';
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

type Commands = { lists: Signal<CommandLists>; loading: Load<true>; addCommand(command: Command): void };

const perDer = 20;

/** Loads the commands of these DERs and keeps them up to date. */
function useCommands(derIds: readonly string[], live: Live): Commands {
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
  /** when release of each command was requested, by command ID */
  const releaseRequests = useSignal<ReadonlyMap<string, number>>(new Map());
  const noteReleaseRequest = (commands: readonly Command[]): void => {
    releaseRequests.value = new Map([...releaseRequests.peek(), ...commands.map(({ id }) => [id, timeNow()] as const)]);
  };
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
  const timeZone = site.timezone;
  const activeCommandOf = (derId: string): Command | undefined => heldCommand(lists.value.get(derId) ?? []);
  return (
    <>
      <PageHead title={t('title')} says={site.name} />
      <ReleaseAll
        siteId={site.id}
        parts={parts}
        lists={lists.value}
        activeCount={loading.value && parts.filter(({ id }) => activeCommandOf(id)).length}
        mayControl={mayControl}
        onRelease={(releases) => noteReleaseRequest(releases.flatMap(({ command }) => command ?? []))}
      />
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
                <DerCard
                  key={part.id}
                  part={part}
                  reading={live.readings.value.get(part.id)}
                  commands={lists.value.get(part.id) ?? []}
                  timeZone={timeZone}
                  mayControl={mayControl}
                  isFirst={index === 0}
                  releaseRequestedAt={releaseRequests.value.get(activeCommandOf(part.id)?.id ?? '')}
                  onRelease={(command) => noteReleaseRequest([command])}
                  onCommand={addCommand}
                />
              ))}
            </div>
            <RecentCommands parts={parts} lists={lists.value} timeZone={timeZone} />
          </>
        )}
      </Loaded>
    </>
  );
});
