import { useSignal } from '@preact/signals';
import { heldCommand, type Release, releaseSite } from '#contract/cloud/commands.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { commandWords } from '../../parts/command-words.ts';
import { now, timeNow } from '../../parts/now.ts';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import type { SiteControl } from './controllable.ts';
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

/** Releases all DERs at once, without confirmation. */
export function ReleaseAll({ control, isLoaded }: { control: SiteControl; isLoaded: boolean }) {
  const { site, parts, lists, mayControl } = control;
  const result = useSignal<{ releases: Release[]; atMs: number } | undefined>(undefined);
  const release = useAction(async () => {
    const releases = await api().call(releaseSite, { params: { site_id: site.id } });
    result.value = { releases, atMs: timeNow() };
    control.noteRelease(releases.flatMap(({ command }) => command ?? []));
  });
  const recent = result.value && now.value - result.value.atMs < shownMs ? result.value : undefined;
  const active = parts.filter(({ id }) => heldCommand(lists.get(id) ?? []));
  return (
    <div class="release-all">
      <div role="status">
        {isLoaded && <p>{standingWords(active.length)}</p>}
        {recent && sentencesOf(recent.releases, control).map((sentence) => <p key={sentence}>{sentence}</p>)}
      </div>
      <ActionButton does={release} tone="plain" isDisabled={!mayControl}>
        {t('release')}
      </ActionButton>
    </div>
  );
}

const standingWords = (count: number): string =>
  count === 0 ? t('nothing') : count === 1 ? t('one') : t('several', { count });

function sentencesOf(releases: readonly Release[], { parts, lists }: SiteControl): string[] {
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
