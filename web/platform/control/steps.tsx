import { type Command, replacedWords, wasApplied } from '#contract/cloud/commands.ts';
import { derWords } from '../../parts/der-words.ts';
import { timeWithSeconds } from '../../parts/format.ts';
import { texts } from '../../parts/text.ts';
import type { Controllable } from './controllable.ts';

const t = texts({
  en: {
    steps: 'What became of it',
    queued: 'Taken in by the platform',
    sent: 'Sent to the gateway',
    applied: 'Set in the device, and read back',
    failed: 'Failed',
    expired: 'Its time was over',
    missed: 'Its time was over before the device had it',
    replaced: 'A newer command took its place',
    released: 'The device is back in its own mode',
    reason: 'Reason:',
  },
  sv: {
    steps: 'Vad som hände',
    queued: 'Mottaget av plattformen',
    sent: 'Skickat till gatewayen',
    applied: 'Inställt i enheten och läst tillbaka',
    failed: 'Misslyckades',
    expired: 'Tiden var ute',
    missed: 'Tiden var ute innan enheten hade fått det',
    replaced: 'Ett nyare kommando tog dess plats',
    released: 'Enheten är tillbaka i sitt eget läge',
    reason: 'Orsak:',
  },
});

/** The name of a controllable part: its type and its device. */
export const partName = ({ type, device }: Controllable): string => `${derWords(type)} · ${device.name}`;

type Step = Command['history'][number];

export function stepWords(command: Command, { status, message }: Step): string {
  if (message === replacedWords) return t('replaced');
  return t(status === 'expired' && !wasApplied(command) ? 'missed' : status);
}

/** What the gateway or the platform says of a step, in English. */
export const Reason = ({ step: { message } }: { step: Step }) =>
  message && message !== replacedWords ? (
    <>
      {t('reason')} <span lang="en">{message}</span>
    </>
  ) : null;

/** The steps of a command in words, with their times. */
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
