import { useEffect } from 'preact/hooks';
import { Empty, Notice, PageHead } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { Link, LinkButton } from '../../parts/router.tsx';
import { ControlTabs } from '../control-tabs.tsx';
import { type Live, useLive } from '../live.ts';
import { useMay } from '../permissions.ts';
import { LiveStatus, sitePage } from '../site-page.tsx';
import { commandState, isConfirmed, mergeCommand, mergeOrder, orderState } from './commands.ts';
import { DerCard } from './der-card.tsx';
import { RecentCommands } from './recent-commands.tsx';
import './control.css';
import { useSignal } from '@preact/signals';
import { type Command, listCommands, type Release, releaseSite } from '#contract/cloud/commands.ts';
import { listOrders, type Order } from '#contract/cloud/orders.ts';
import { minuteMs } from '#contract/time.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { commandWords } from '../../parts/command-words.ts';
import { now, timeNow } from '../../parts/now.ts';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { HeldList } from './active-order.tsx';
import { controllablesOf, type SiteControl } from './controllable.ts';
import { heldWords } from './order-words.ts';
import { partName } from './steps.tsx';

const t = texts({
  refused: 'You can view this page, but only operators can control devices.',
  ask: 'See who can change your role',
  noneSays: 'Add a battery, a solar inverter or an EV charger to this site to control it here.',
  nothing: 'No command is active. Devices run automatically or follow the plan.',
  planned: 'No command is active. One is scheduled.',
  sending: 'A command is not confirmed yet. It has no effect until the gateway confirms it.',
  one: '1 device is controlled by a command.',
  several: '{count} devices are controlled by commands.',
  wasFree: 'No command was active.',
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

/** Loads the newest order of each DER, and again when a command changes, which may begin or end one, and every minute. */
function useOrders(derIds: readonly string[], commands: readonly Command[]) {
  const orders = useSignal<readonly Order[]>([]);
  const addOrder = (order: Order): void => {
    orders.value = mergeOrder(orders.peek(), order);
  };
  const load = async (signal: AbortSignal): Promise<true> => {
    const newest = await Promise.all(
      derIds.map((der_id) => api().call(listOrders, { params: { der_id }, query: { limit: 1 }, signal })),
    );
    newest.flat().forEach(addOrder);
    return true;
  };
  const changes = commands.reduce((sum, { history }) => sum + history.length, 0);
  useLoad(load, [derIds.join()], `${changes} ${Math.floor(now.value / minuteMs)}`);
  return { orders, addOrder };
}

export default sitePage(function ControlPage({ site }) {
  const live = useLive(site.id);
  const parts = controllablesOf(site.devices);
  const { commands, loading, addCommand } = useCommands(
    parts.map(({ id }) => id),
    live,
  );
  const { orders, addOrder } = useOrders(
    parts.map(({ id }) => id),
    commands.value,
  );
  const mayControl = useMay(site.org_id, 'control');
  const releaseRequests = useSignal<ReadonlyMap<string, number>>(new Map());
  if (parts.length === 0) {
    return (
      <>
        <PageHead title={t('control')} says={site.name} />
        <ControlTabs siteId={site.id} />
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
    orders: orders.value,
    releaseRequests: releaseRequests.value,
    addCommand,
    addOrder,
    noteRelease: (released) => {
      const noted = released.map(({ id }) => [id, timeNow()] as const);
      releaseRequests.value = new Map([...releaseRequests.peek(), ...noted]);
    },
  };
  return (
    <>
      <PageHead title={t('control')} says={site.name} />
      <ControlTabs siteId={site.id} />
      <ReleaseAll control={control} isLoaded={loading.value !== undefined} />
      {mayControl === false && (
        <Notice>
          <p>
            {t('refused')} <Link to={`/app/organizations/${site.org_id}`}>{t('ask')}</Link>
          </p>
        </Notice>
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
    for (const { order } of releases) if (order) control.addOrder(order);
  });
  const recent = result.value && now.value - result.value.atMs < shownMs ? result.value : undefined;
  const held = parts.flatMap((part) => {
    const { held: order, waiting } = orderState(control.orders, part.id, now.value);
    const command = commandState(commands, part.id, now.value).active;
    const words = heldWords({ order: order ?? waiting, command }, part.type, site.timezone);
    return words === undefined ? [] : [{ part, words, isNow: Boolean(order ?? command) }];
  });
  const heldNow = held.filter(({ isNow }) => isNow);
  const controlled = heldNow.filter(({ part }) => isConfirmed(commands, part.id));
  return (
    <>
      <div class="release-all">
        <div role="status">
          {isLoaded && <p>{standingWords(controlled.length, heldNow.length, held.length)}</p>}
          {recent && sentencesOf(recent.releases, control).map((sentence) => <p key={sentence}>{sentence}</p>)}
        </div>
        <ActionButton
          does={release}
          tone={held.length > 0 ? 'danger' : 'quiet'}
          isDisabled={mayControl === false}
          label={t('returnAll')}
        />
      </div>
      {held.length > 0 && parts.length > 1 && <HeldList held={held} control={control} />}
    </>
  );
}

function standingWords(controlled: number, heldNow: number, all: number): string {
  if (heldNow === 0) return t(all === 0 ? 'nothing' : 'planned');
  if (controlled === 0) return t('sending');
  return controlled === 1 ? t('one') : t('several', { count: controlled });
}

function sentencesOf(releases: readonly Release[], { parts, commands }: SiteControl): string[] {
  if (releases.every(({ command, order }) => !command && !order)) return [t('wasFree')];
  const active = releases.flatMap(({ der_id, command }) => {
    const part = parts.find(({ id }) => id === der_id);
    return part && command ? [{ part, command }] : [];
  });
  return active.map(({ part, command }) => {
    const { status } = commands.find(({ id }) => id === command.id) ?? command;
    const isLetting = ['queued', 'sent', 'applied', 'expired'].includes(status);
    const key = isLetting ? 'returning' : status === 'released' ? 'back' : 'cancelled';
    return t(key, { name: partName(part), command: commandWords(part.type, command.power_w) });
  });
}
