import { type Command, replacedWords, wasApplied } from '#contract/cloud/commands.ts';
import { derWords } from '../../parts/der-words.ts';
import { texts, timeWithSeconds } from '../../parts/text.ts';
import type { Controllable } from './controllable.ts';

const t = texts({
  steps: ['Command steps', 'Kommandots förlopp'],
  queued: ['Received by the platform', 'Mottaget av plattformen'],
  sent: ['Sent to the gateway', 'Skickat till gatewayen'],
  applied: ['Applied and confirmed by the device', 'Utfört och bekräftat av enheten'],
  failed: ['Failed', 'Misslyckades'],
  expired: ['Time ran out', 'Tiden gick ut'],
  missed: ['Expired before it reached the device', 'Löpte ut innan det nådde enheten'],
  replaced: ['Replaced by a newer command', 'Ersatt av ett nyare kommando'],
  released: ['The device is back in automatic', 'Enheten är tillbaka i automatläge'],
  reason: ['Reason:', 'Orsak:'],
});

export const partName = ({ type, device }: Controllable): string => `${derWords(type)} · ${device.name}`;

type Step = Command['history'][number];

export function stepWords(command: Command, { status, message }: Step): string {
  if (message === replacedWords) return t('replaced');
  return t(status === 'expired' && !wasApplied(command) ? 'missed' : status);
}

/** Message of the gateway or platform, in English. */
export const Reason = ({ step: { message } }: { step: Step }) =>
  message && message !== replacedWords ? (
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
