import { useEffect } from 'preact/hooks';
import { Empty, Notice, PageHead } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { Link, LinkButton } from '../../parts/router.tsx';
import { type Live, useLive } from '../live.ts';
import { useMay } from '../permissions.ts';
import { LiveStatus, sitePage } from '../site-page.tsx';
import { commandState, mergeCommand } from './commands.ts';
import { DerCard } from './der-card.tsx';
import { RecentCommands } from './recent-commands.tsx';
import './control.css';
import { useSignal } from '@preact/signals';
import { type Command, listCommands, type Release, releaseSite } from '#contract/cloud/commands.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { commandWords } from '../../parts/command-words.ts';
import { now, timeNow } from '../../parts/now.ts';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { controllablesOf, type SiteControl } from './controllable.ts';
import { partName } from './steps.tsx';

const t = texts({
  refused: 'You can view this page, but only operators can control devices.',
  ask: 'See who can change your role',
  noneSays: 'Add a battery, a solar inverter or an EV charger to this site to control it here.',
  nothing: 'All devices run automatically.',
  one: '1 device is controlled by a command.',
  several: '{count} devices are controlled by commands.',
  wasFree: 'No device had an active command. All devices were returned to automatic anyway.',
  returning: '{name} is returning to automatic ({command}).',
  back: '{name} is back in automatic ({command}).',
  cancelled: '{name}: “{command}” was cancelled before it started.',
});

const perDer = 20;

/** Loads the commands of these DERs and keeps them up to date. */
function useCommands(derIds: readonly string[], live: Live) {
  const commands = useSignal<readonly Command[]>([]);
  const addCommand = (command: Command): void => {
    commands.value = mergeCommand(commands.peek(), command);
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
  return { commands, loading, addCommand };
}

export default sitePage(function ControlPage({ site }) {
  const live = useLive(site.id);
  const parts = controllablesOf(site.devices);
  const { commands, loading, addCommand } = useCommands(
    parts.map(({ id }) => id),
    live,
  );
  const mayControl = useMay(site.org_id, 'control');
  const releaseRequests = useSignal<ReadonlyMap<string, number>>(new Map());
  if (parts.length === 0) {
    return (
      <>
        <PageHead title={t('control')} says={site.name} />
        <Empty title={t('noControllable')}>
          <p>{t('noneSays')}</p>
          <LinkButton to={`/app/sites/${site.id}/devices`} label={t('goToDevices')} />
        </Empty>
      </>
    );
  }
  const control: SiteControl = {
    site,
    parts,
    mayControl,
    readings: live.readings.value,
    commands: commands.value,
    releaseRequests: releaseRequests.value,
    addCommand,
    noteRelease: (released) => {
      const noted = released.map(({ id }) => [id, timeNow()] as const);
      releaseRequests.value = new Map([...releaseRequests.peek(), ...noted]);
    },
  };
  return (
    <>
      <PageHead title={t('control')} says={site.name} />
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

const shownMs = 60_000;

/** Releases all DERs at once, without confirmation. */
function ReleaseAll({ control, isLoaded }: { control: SiteControl; isLoaded: boolean }) {
  const { site, parts, commands, mayControl } = control;
  const result = useSignal<{ releases: Release[]; atMs: number } | undefined>(undefined);
  const release = useAction(async () => {
    const releases = await api().call(releaseSite, { params: { site_id: site.id } });
    result.value = { releases, atMs: timeNow() };
    control.noteRelease(releases.flatMap(({ command }) => command ?? []));
  });
  const recent = result.value && now.value - result.value.atMs < shownMs ? result.value : undefined;
  const active = parts.filter(({ id }) => commandState(commands, id, now.value).active);
  return (
    <div class="release-all">
      <div role="status">
        {isLoaded && <p>{standingWords(active.length)}</p>}
        {recent && sentencesOf(recent.releases, control).map((sentence) => <p key={sentence}>{sentence}</p>)}
      </div>
      <ActionButton does={release} tone="plain" isDisabled={!mayControl} label={t('returnAll')} />
    </div>
  );
}

const standingWords = (count: number): string =>
  count === 0 ? t('nothing') : count === 1 ? t('one') : t('several', { count });

function sentencesOf(releases: readonly Release[], { parts, commands }: SiteControl): string[] {
  const active = releases.flatMap(({ der_id, command }) => {
    const part = parts.find(({ id }) => id === der_id);
    return part && command ? [{ part, command }] : [];
  });
  if (active.length === 0) return [t('wasFree')];
  return active.map(({ part, command }) => {
    const { status } = commands.find(({ id }) => id === command.id) ?? command;
    const isLetting = ['queued', 'sent', 'applied', 'expired'].includes(status);
    const key = isLetting ? 'returning' : status === 'released' ? 'back' : 'cancelled';
    return t(key, { name: partName(part), command: commandWords(part.type, command.power_w) });
  });
}
