import { useRef } from 'preact/hooks';
import type { SiteReading } from '#contract/client/site-stream.ts';
import { type Command, wasApplied } from '#contract/cloud/commands.ts';
import type { CommandedType } from '#contract/command.ts';
import { Age, isStale } from '../../parts/age.tsx';
import { Card, Figure } from '../../parts/card.tsx';
import { commandWords } from '../../parts/command-words.ts';
import { directionWords } from '../../parts/der-words.ts';
import { useFocusFallback } from '../../parts/focus-fallback.ts';
import { percent, power } from '../../parts/format.ts';
import { Notice } from '../../parts/notice.tsx';
import { now } from '../../parts/now.ts';
import { texts } from '../../parts/text.ts';
import { CommandForm } from './command-form.tsx';
import { standingOf } from './command-list.ts';
import type { Controllable } from './controllable.ts';
import { HeldCommand } from './held-command.tsx';
import { partName, Reason, Steps, stepWords } from './steps.tsx';

const toneOf = (command: Command): 'good' | 'warning' | 'plain' => {
  if (command.status === 'released') return 'good';
  return command.status === 'failed' || !wasApplied(command) ? 'warning' : 'plain';
};

type OutcomeProps = { type: CommandedType; command: Command; timeZone: string | undefined };

/** How a command ended, a while after it did. */
function Outcome({ type, command, timeZone }: OutcomeProps) {
  const last = command.history.at(-1)!;
  const tone = toneOf(command);
  return (
    <Notice tone={tone}>
      <p>
        {t('last')}: {commandWords(type, command.power_w)}. {stepWords(command, last)}.{' '}
        {tone === 'warning' && <Reason step={last} />}
      </p>
      <details>
        <summary>{t('steps')}</summary>
        <Steps command={command} timeZone={timeZone} />
      </details>
    </Notice>
  );
}

const t = texts({
  en: {
    now: 'Now',
    charge: '{percent} full',
    unheard: 'not heard yet',
    held: 'Held by a command',
    free: 'Not held',
    silent: 'Nothing new is heard of this device. A command may not reach it, or be refused.',
    ask: 'Ask something of it',
    other: 'Ask for something else',
    last: 'The last command',
    steps: 'Step by step',
  },
  sv: {
    now: 'Nu',
    charge: '{percent} laddat',
    unheard: 'har inte hörts ännu',
    held: 'Styrs av ett kommando',
    free: 'Styrs inte',
    silent: 'Inget nytt hörs från den här enheten. Ett kommando kanske inte når fram, eller nekas.',
    ask: 'Be den om något',
    other: 'Be om något annat',
    last: 'Det senaste kommandot',
    steps: 'Steg för steg',
  },
});

type Props = {
  part: Controllable;
  reading: SiteReading | undefined;
  commands: readonly Command[];
  timeZone: string | undefined;
  mayControl: boolean;
  /** its form stands open */
  isFirst: boolean;
  askedAt: number | undefined;
  onRelease(command: Command): void;
  onCommand(command: Command): void;
};

/** One thing that takes commands: what it does, what holds it, what to ask of it. */
export function DerCard({ part, reading, commands, mayControl, isFirst, onRelease, ...rest }: Props) {
  const { type } = part;
  const { timeZone, onCommand } = rest;
  const { held, ended } = standingOf(commands, now.value);
  const charge = reading?.SoC_nom_fract ?? reading?.vehicle_soc_fract;
  const standing = useRef<HTMLDivElement>(null);
  useFocusFallback(standing);
  const isSilent = reading ? isStale(reading.timestamp) : !part.device.online;
  return (
    <Card
      title={partName(part)}
      class={`der-card ${type}`}
      beside={<span class={`tag ${held ? 'warning' : ''}`}>{t(held ? 'held' : 'free')}</span>}
    >
      <Figure
        label={t('now')}
        value={power(reading?.W)}
        more={
          reading ? (
            <>
              {reading.W !== undefined && `${directionWords(type, reading.W)}, `}
              {charge !== undefined && `${t('charge', { percent: percent(charge) })}, `}
              <Age ms={reading.timestamp} />
            </>
          ) : (
            t('unheard')
          )
        }
      />
      {isSilent && <Notice tone="warning">{t('silent')}</Notice>}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <div class="standing" role="group" aria-label={t(held ? 'held' : 'free')} tabIndex={-1} ref={standing}>
        {held && (
          <HeldCommand
            {...rest}
            part={part}
            command={held}
            reading={reading}
            mayControl={mayControl}
            onRelease={() => onRelease(held)}
          />
        )}
        {ended && <Outcome type={type} command={ended} timeZone={timeZone} />}
      </div>
      {mayControl && (
        <details open={isFirst && !held}>
          <summary>{t(held ? 'other' : 'ask')}</summary>
          <CommandForm
            part={part}
            ratedW={reading?.rated_power_W}
            isHeld={held !== undefined}
            timeZone={timeZone}
            onCommand={onCommand}
          />
        </details>
      )}
    </Card>
  );
}
