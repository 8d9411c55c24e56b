import { useRef } from 'preact/hooks';
import { type Command, isUndelivered, wasApplied } from '#contract/cloud/commands.ts';
import { isStale, ReadingNote } from '../../parts/age.tsx';
import { commandWords } from '../../parts/command-words.ts';
import { useFocusFallback } from '../../parts/focus-fallback.ts';
import { Card, Figure, Notice } from '../../parts/layout.tsx';
import { now } from '../../parts/now.ts';
import { power, texts } from '../../parts/text.ts';
import { ActiveCommand, type CommandProps } from './active-command.tsx';
import { ActiveOrder, EndedOrder } from './active-order.tsx';
import { CommandForm } from './command-form.tsx';
import { commandState, isConfirmed, lastStepOf, orderState } from './commands.ts';
import type { Controllable, SiteControl } from './controllable.ts';
import { partName, Reason, Steps, stepWords } from './steps.tsx';

const t = texts({
  controlled: 'Controlled',
  sending: 'Sending',
  away: 'Not delivered',
  automatic: 'Automatic',
  silent: 'No recent data from this device. A command may not reach it.',
  waiting: 'Scheduled',
  ask: 'verb|Control',
  other: 'Send another command',
  last: 'Last command',
  steps: 'Show steps',
});

const toneOf = (command: Command): 'good' | 'warning' | 'plain' => {
  if (command.status === 'released') return 'good';
  return command.status === 'failed' || !wasApplied(command) ? 'warning' : 'plain';
};

function Outcome({ part, command, control }: CommandProps) {
  const last = lastStepOf(command);
  const tone = toneOf(command);
  return (
    <Notice tone={tone}>
      <p>
        {t('last')}: {commandWords(part.type, command.power_w)}. {stepWords(command, last)}.{' '}
        {tone === 'warning' && <Reason step={last} />}
      </p>
      <details>
        <summary>{t('steps')}</summary>
        <Steps command={command} timeZone={control.site.timezone} />
      </details>
    </Notice>
  );
}

/** Shows a controllable DER with its active command and the command form, which is open in the first card. */
export function DerCard({ part, control, isFirst }: { part: Controllable; control: SiteControl; isFirst: boolean }) {
  const { type } = part;
  const reading = control.readings.get(part.id);
  const { active, ended } = commandState(control.commands, part.id, now.value);
  const { held, waiting, ended: endedOrder } = orderState(control.orders, part.id, now.value);
  const order = held ?? waiting;
  const isOfOrder = active?.order_id !== undefined && active.order_id === order?.id;
  const unconfirmed = active && isUndelivered(active) ? 'away' : 'sending';
  const heldState = isConfirmed(control.commands, part.id) ? 'controlled' : unconfirmed;
  const state = active || held ? heldState : waiting ? 'waiting' : 'automatic';
  const standing = useRef<HTMLDivElement>(null);
  useFocusFallback(standing);
  const isSilent = reading ? isStale(reading.timestamp) : !part.device.online;
  return (
    <Card
      title={partName(part)}
      class={`der-card ${type}`}
      beside={<span class={`tag ${active || held ? 'warning' : ''}`}>{t(state)}</span>}
    >
      <Figure label={t('now')} value={power(reading?.W)} more={<ReadingNote type={type} reading={reading} />} />
      {isSilent && <Notice tone="warning">{t('silent')}</Notice>}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <div class="standing" role="group" aria-label={t(state)} tabIndex={-1} ref={standing}>
        {order && <ActiveOrder part={part} order={order} control={control} lease={isOfOrder ? active : undefined} />}
        {active && !isOfOrder && <ActiveCommand part={part} command={active} control={control} />}
        {endedOrder && <EndedOrder part={part} order={endedOrder} control={control} />}
        {ended && !ended.order_id && <Outcome part={part} command={ended} control={control} />}
      </div>
      {control.mayControl && (
        <details open={isFirst && state === 'automatic'}>
          <summary>{t(state === 'automatic' ? 'ask' : 'other')}</summary>
          <CommandForm part={part} isActive={state !== 'automatic'} control={control} />
        </details>
      )}
    </Card>
  );
}
