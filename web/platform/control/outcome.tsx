import { type Command, wasApplied } from '#contract/cloud/commands.ts';
import type { CommandedType } from '#contract/command.ts';
import { commandWords } from '../../parts/command-words.ts';
import { Notice } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { Reason, Steps, stepWords } from './steps.tsx';

const t = texts({
  en: { last: 'The last command', steps: 'Step by step' },
  sv: { last: 'Det senaste kommandot', steps: 'Steg för steg' },
});

const toneOf = (command: Command): 'good' | 'warning' | 'plain' => {
  if (command.status === 'released') return 'good';
  return command.status === 'failed' || !wasApplied(command) ? 'warning' : 'plain';
};

type Props = { type: CommandedType; command: Command; timeZone: string | undefined };

/** How a command ended, a while after it did. */
export function Outcome({ type, command, timeZone }: Props) {
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
