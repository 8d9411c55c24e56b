import { useSignal } from '@preact/signals';
import { type Release, releaseSite } from '#contract/cloud/commands.ts';
import { useAction, whileBusy } from '../../parts/action.tsx';
import { commandWords } from '../../parts/command-words.ts';
import { Failed } from '../../parts/notice.tsx';
import { now, timeNow } from '../../parts/now.ts';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import type { CommandLists } from './command-list.ts';
import type { Controllable } from './controllable.ts';
import { partName } from './steps.tsx';

const t = texts({
  en: {
    letGo: 'Let go of everything',
    nothing: 'No device is held by a command.',
    one: 'One device is held by a command.',
    several: '{count} devices are held by commands.',
    wasFree: 'Every device was told to let go. As far as is known, none was held.',
    letting: '{name} is being let go ({command}).',
    back: '{name} is back in its own mode ({command}).',
    over: '{name}: “{command}” was called off before it began.',
  },
  sv: {
    letGo: 'Släpp allt',
    nothing: 'Ingen enhet styrs av ett kommando.',
    one: 'En enhet styrs av ett kommando.',
    several: '{count} enheter styrs av kommandon.',
    wasFree: 'Alla enheter har ombetts att släppa. Såvitt känt styrdes ingen.',
    letting: '{name} håller på att släppas ({command}).',
    back: '{name} är tillbaka i sitt eget läge ({command}).',
    over: '{name}: ”{command}” avbröts innan det började.',
  },
});

const shownMs = 60_000;

type Props = {
  siteId: string;
  parts: readonly Controllable[];
  lists: CommandLists;
  /** undefined until the commands are known */
  heldCount: number | undefined;
  mayControl: boolean;
  onRelease(releases: Release[]): void;
};

/** Lets go of everything at once, without a question; and says what it did. */
export function LetGoOfAll({ siteId, parts, lists, heldCount, mayControl, onRelease }: Props) {
  const told = useSignal<{ releases: Release[]; atMs: number } | undefined>(undefined);
  const act = useAction(async () => {
    const releases = await api().call(releaseSite, { params: { site_id: siteId } });
    told.value = { releases, atMs: timeNow() };
    onRelease(releases);
  });
  const recent = told.value && now.value - told.value.atMs < shownMs ? told.value : undefined;
  return (
    <div class="let-go-of-all">
      <div role="status">
        {heldCount !== undefined && <p>{standingWords(heldCount)}</p>}
        {recent && sentencesOf(recent.releases, parts, lists).map((sentence) => <p key={sentence}>{sentence}</p>)}
      </div>
      <button type="button" disabled={!mayControl} {...whileBusy(act)} onClick={() => void act.run()}>
        {t('letGo')}
      </button>
      {act.problem !== undefined && <Failed problem={act.problem} />}
    </div>
  );
}

const standingWords = (count: number): string =>
  count === 0 ? t('nothing') : count === 1 ? t('one') : t('several', { count });

function sentencesOf(releases: readonly Release[], parts: readonly Controllable[], lists: CommandLists): string[] {
  const held = releases.flatMap(({ der_id, command }) => {
    const part = parts.find(({ id }) => id === der_id);
    return part && command ? [{ part, command }] : [];
  });
  if (held.length === 0) return [t('wasFree')];
  return held.map(({ part, command }) => {
    const { status } = lists.get(part.id)?.find(({ id }) => id === command.id) ?? command;
    const isLetting = ['queued', 'sent', 'applied', 'expired'].includes(status);
    const key = isLetting ? 'letting' : status === 'released' ? 'back' : 'over';
    return t(key, { name: partName(part), command: commandWords(part.type, command.power_w) });
  });
}
