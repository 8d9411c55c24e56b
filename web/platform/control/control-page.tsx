import { useSignal } from '@preact/signals';
import { type Command, heldCommand } from '#contract/cloud/commands.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { Loaded } from '../../parts/load.tsx';
import { Empty, Failed, Notice } from '../../parts/notice.tsx';
import { timeNow } from '../../parts/now.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Link, type Params } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { useLive } from '../live.ts';
import { useMay } from '../own-role.ts';
import { useSite } from '../site.ts';
import { controllablesOf } from './controllable.ts';
import { DerCard } from './der-card.tsx';
import { LetGoOfAll } from './let-go-of-all.tsx';
import { RecentCommands } from './recent-commands.tsx';
import { useCommands } from './use-commands.ts';
import './control.css';

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
