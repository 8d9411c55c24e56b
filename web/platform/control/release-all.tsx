import { useSignal } from '@preact/signals';
import { type Release, releaseSite } from '#contract/cloud/commands.ts';
import { useAction, whileBusy } from '../../parts/action.tsx';
import { commandWords } from '../../parts/command-words.ts';
import { Failed } from '../../parts/notice.tsx';
import { now, timeNow } from '../../parts/now.ts';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import type { CommandLists } from './commands.ts';
import type { Controllable } from './controllable.ts';
import { partName } from './steps.tsx';

const t = texts({
  release: ['Return all devices to automatic', 'Återställ alla enheter till automatläge'],
  nothing: ['All devices run automatically.', 'Alla enheter går i automatläge.'],
  one: ['1 device is controlled by a command.', '1 enhet styrs av ett kommando.'],
  several: ['{count} devices are controlled by commands.', '{count} enheter styrs av kommandon.'],
  wasFree: [
    'No device had an active command. All were told to return to automatic anyway.',
    'Ingen enhet hade ett aktivt kommando. Alla har ändå fått besked att återgå till automatläge.',
  ],
  returning: ['{name} is returning to automatic ({command}).', '{name} återgår till automatläge ({command}).'],
  back: ['{name} is back in automatic ({command}).', '{name} är tillbaka i automatläge ({command}).'],
  cancelled: ['{name}: “{command}” was cancelled before it started.', '{name}: ”{command}” avbröts innan det började.'],
});

const shownMs = 60_000;

type Props = {
  siteId: string;
  parts: readonly Controllable[];
  lists: CommandLists;
  /** undefined until the commands are loaded */
  activeCount: number | undefined;
  mayControl: boolean;
  onRelease(releases: Release[]): void;
};

/** Releases all DERs at once, without confirmation. */
export function ReleaseAll({ siteId, parts, lists, activeCount, mayControl, onRelease }: Props) {
  const result = useSignal<{ releases: Release[]; atMs: number } | undefined>(undefined);
  const act = useAction(async () => {
    const releases = await api().call(releaseSite, { params: { site_id: siteId } });
    result.value = { releases, atMs: timeNow() };
    onRelease(releases);
  });
  const recent = result.value && now.value - result.value.atMs < shownMs ? result.value : undefined;
  return (
    <div class="release-all">
      <div role="status">
        {activeCount !== undefined && <p>{standingWords(activeCount)}</p>}
        {recent && sentencesOf(recent.releases, parts, lists).map((sentence) => <p key={sentence}>{sentence}</p>)}
      </div>
      <button type="button" disabled={!mayControl} {...whileBusy(act)} onClick={() => void act.run()}>
        {t('release')}
      </button>
      <Failed problem={act.problem} />
    </div>
  );
}

const standingWords = (count: number): string =>
  count === 0 ? t('nothing') : count === 1 ? t('one') : t('several', { count });

function sentencesOf(releases: readonly Release[], parts: readonly Controllable[], lists: CommandLists): string[] {
  const active = releases.flatMap(({ der_id, command }) => {
    const part = parts.find(({ id }) => id === der_id);
    return part && command ? [{ part, command }] : [];
  });
  if (active.length === 0) return [t('wasFree')];
  return active.map(({ part, command }) => {
    const { status } = lists.get(part.id)?.find(({ id }) => id === command.id) ?? command;
    const isLetting = ['queued', 'sent', 'applied', 'expired'].includes(status);
    const key = isLetting ? 'returning' : status === 'released' ? 'back' : 'cancelled';
    return t(key, { name: partName(part), command: commandWords(part.type, command.power_w) });
  });
}
