import { type Command, replacedWords, wasApplied } from '#contract/cloud/commands.ts';
import { gatewayAway } from '#contract/cloud/orders.ts';
import { derWords } from '../../parts/der-words.ts';
import { texts, timeWithSeconds } from '../../parts/text.ts';
import type { Controllable } from './controllable.ts';

const t = texts({
  steps: 'Command steps',
  queued: 'Received by the platform',
  sent: 'Sent to the gateway',
  away: 'Not delivered: the gateway is offline',
  applied: 'Applied and confirmed by the device',
  failed: 'Failed',
  expired: 'Time ran out',
  missed: 'Expired before it reached the device',
  replaced: 'Replaced by a newer command',
  released: 'The device is back in automatic',
  reason: 'Reason:',
});

export const partName = ({ type, device }: Controllable): string => `${derWords(type)} · ${device.name}`;

type Step = Command['history'][number];

export function stepWords(command: Command, { status, message }: Step): string {
  if (message === replacedWords) return t('replaced');
  if (message === gatewayAway) return t('away');
  return t(status === 'expired' && !wasApplied(command) ? 'missed' : status);
}

/** Message of the gateway or platform, in English. */
export const Reason = ({ step: { message } }: { step: Step }) =>
  message && message !== replacedWords && message !== gatewayAway ? (
    <>
      {t('reason')} <span lang="en">{message}</span>
    </>
  ) : null;

export function Steps({ command, timeZone }: { command: Command; timeZone: string | undefined }) {
  return (
    <ol class="command-steps" aria-label={t('steps')}>
      {command.history.map((step) => (
        <li key={step.status} class={step.status}>
          <time dateTime={step.at}>{timeWithSeconds(Date.parse(step.at), timeZone)}</time>
          <span>
            {stepWords(command, step)}{' '}
            <span class="says">
              <Reason step={step} />
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}
