import { type Command, wasApplied } from '#contract/cloud/commands.ts';
import { secondOfDay } from '../../parts/format.ts';
import { texts } from '../../parts/text.ts';

const t = texts({
  en: {
    steps: 'What became of it',
    queued: 'Taken in by the platform',
    sent: 'Sent to the gateway',
    applied: 'Set in the device, and read back',
    failed: 'Failed',
    expired: 'Its time was over',
    missed: 'Its time was over before the device had it',
    released: 'The device is back in its own mode',
    says: 'The gateway says:',
  },
  sv: {
    steps: 'Vad som hände',
    queued: 'Mottaget av plattformen',
    sent: 'Skickat till gatewayen',
    applied: 'Inställt i enheten och läst tillbaka',
    failed: 'Misslyckades',
    expired: 'Tiden var ute',
    missed: 'Tiden var ute innan enheten hade fått det',
    released: 'Enheten är tillbaka i sitt eget läge',
    says: 'Gatewayen säger:',
  },
});

type Step = Command['history'][number];

export const stepWords = (command: Command, { status }: Step): string =>
  t(status === 'expired' && !wasApplied(command) ? 'missed' : status);

/** What the gateway says of a step; it speaks English. */
export const Reason = ({ step: { message } }: { step: Step }) =>
  message ? (
    <>
      {t('says')} <span lang="en">{message}</span>
    </>
  ) : null;

/** The steps of a command in words, with their times. */
export function Steps({ command, timeZone }: { command: Command; timeZone: string | undefined }) {
  return (
    <ol class="command-steps" aria-label={t('steps')}>
      {command.history.map((step) => (
        <li key={step.status} class={step.status}>
          <time dateTime={step.at}>{secondOfDay(Date.parse(step.at), timeZone)}</time>
          <span>
            {stepWords(command, step)}
            {step.message && (
              <span class="says">
                {' '}
                <Reason step={step} />
              </span>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}
