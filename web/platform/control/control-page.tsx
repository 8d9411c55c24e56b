import type { SiteDetails } from '#contract/cloud/sites.ts';
import { Empty, Failed, Notice } from '../../parts/notice.tsx';
import { timeNow } from '../../parts/now.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Link, type Params } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { useMay } from '../permissions.ts';
import { useSite } from '../site.ts';
import { controllablesOf } from './controllable.ts';
import { DerCard } from './der-card.tsx';
import { RecentCommands } from './recent-commands.tsx';
import { LetGoOfAll } from './release-all.tsx';
import './control.css';
import { type Signal, signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { type Command, heldCommand, listCommands } from '#contract/cloud/commands.ts';
import { type Load, Loaded, useLoad } from '../../parts/load.tsx';
import { type Live, useLive } from '../live.ts';
import { api } from '../session.ts';
import { type CommandLists, withCommand } from './command-list.ts';

type Commands = { lists: Signal<CommandLists>; loading: Load<true>; heard(command: Command): void };

const perDer = 20;

/** The commands of these DERs, as they are and as they move on. */
function useCommands(derIds: readonly string[], live: Live): Commands {
  const lists = useMemo(() => signal<CommandLists>(new Map()), []);
  const heard = (command: Command): void => {
    lists.value = withCommand(lists.peek(), command);
  };
  const loading = useLoad<true>(
    async (leaving) => {
      const found = await Promise.all(
        derIds.map((der_id) =>
          api().call(listCommands, { params: { der_id }, query: { limit: perDer }, signal: leaving }),
        ),
      );
      found.flat().forEach(heard);
      return true;
    },
    [derIds.join()],
  );
  const { again } = loading;
  useEffect(() => {
    return live.listen((event) => {
      if (event.type === 'command') heard(event.data);
      if (event.type === 'connected') again(); // what became of commands meanwhile is not told again
    });
  }, [live, again]);
  return { lists, loading, heard };
}

const t = texts({
  en: {
    title: 'Control',
    lost: 'The connection is lost and tried again. What you see is the last that was heard.',
    refused: 'You may look here, but not control: that takes the role of an operator.',
    ask: 'Who can give it to you',
    none: 'Nothing here takes commands',
    noneSays: 'Batteries, solar inverters and car chargers do, once they are provisioned to this site.',
    devices: 'Its devices',
  },
  sv: {
    title: 'Styrning',
    lost: 'Förbindelsen är bruten och prövas igen. Det du ser är det sista som hördes.',
    refused: 'Du får titta här men inte styra: det kräver rollen operatör.',
    ask: 'Vem som kan ge dig den',
    none: 'Inget här tar emot kommandon',
    noneSays: 'Batterier, solväxelriktare och billaddare gör det, när de har lagts till i den här anläggningen.',
    devices: 'Enheterna',
  },
});

export default function ControlPage({ params }: { params: Params }) {
  const site = useSite(params.site!);
  return <Loaded from={site}>{(value) => <Control key={value.id} site={value} />}</Loaded>;
}

function Control({ site }: { site: SiteDetails }) {
  const live = useLive(site.id);
  const parts = controllablesOf(site.devices);
  const { lists, loading, heard } = useCommands(
    parts.map(({ id }) => id),
    live,
  );
  const mayControl = useMay(site.org_id, 'control');
  /** when each command was asked to be let go, by its id */
  const asked = useSignal<ReadonlyMap<string, number>>(new Map());
  const noteAsked = (commands: readonly Command[]): void => {
    asked.value = new Map([...asked.peek(), ...commands.map(({ id }) => [id, timeNow()] as const)]);
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
  const heldBy = (derId: string): Command | undefined => heldCommand(lists.value.get(derId) ?? []);
  return (
    <>
      <PageHead title={t('title')} says={site.name} />
      <LetGoOfAll
        siteId={site.id}
        parts={parts}
        lists={lists.value}
        heldCount={loading.value && parts.filter(({ id }) => heldBy(id)).length}
        mayControl={mayControl}
        onRelease={(releases) => noteAsked(releases.flatMap(({ command }) => command ?? []))}
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
      {live.connection.value === 'lost' && <Notice tone="warning">{t('lost')}</Notice>}
      {live.problem.value !== undefined && <Failed problem={live.problem.value} />}
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
                  askedAt={asked.value.get(heldBy(part.id)?.id ?? '')}
                  onRelease={(command) => noteAsked([command])}
                  onCommand={heard}
                />
              ))}
            </div>
            <RecentCommands parts={parts} lists={lists.value} timeZone={timeZone} />
          </>
        )}
      </Loaded>
    </>
  );
}
