import { claimMinutes } from '#contract/claim.ts';
import type { SignedClaim } from '#contract/cloud/gateways.ts';
import { minuteMs } from '#contract/time.ts';
import { type Load, Loaded, useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { dateAndTime, texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { type Check, checkClaim } from './check-claim.ts';

const t = texts({
  good: 'Passed',
  bad: 'check|Failed',
  open: 'Checked by the platform',
  form: 'The message has four parts',
  claimer: 'Signed for you',
  nonce: 'Single-use number',
  time: 'Signed within the last {minutes} minutes',
  serial: 'From this gateway',
  key: 'Valid P-256 key',
  binding: 'The serial number is derived from the key',
  signature: 'The signature matches the key and the message (ES256, verified in this browser)',
  // Advice, by the name of a check and its verdict.
  'form-bad': 'The message must be <identity>|<nonce>|<time>|<serial>. Copy all of it.',
  'claimer-bad': 'Signed for someone else. Have the gateway sign for your ID: {me}',
  'nonce-open': 'The platform accepts each number once. If it has been used, have the gateway sign again.',
  'time-bad':
    'More than {minutes} minutes old, or in the future. Have the gateway sign again. If that does not help, check the clocks of the gateway and this computer.',
  'serial-bad': 'The message is from another gateway. Use the serial number and message of the same gateway.',
  'key-bad': 'Not a P-256 public key. Copy all of publicKey: 128 hex digits.',
  'binding-open':
    'The serial number is not derived from the key. The platform checks it against the key it knows, or accepts the first one it sees.',
  'signature-bad': 'The signature does not match. Copy message and sign from the same response.',
});

/** Says what a failed check means and what to do. */
export function failureWords({ about, verdict }: Check): string {
  const advice = `${about}-${verdict}`;
  return t.has(advice) ? t(advice, { me: api().identityId, minutes: claimMinutes }) : t(about);
}

const marks = { good: '✓', bad: '✗', open: '?' } as const;

/** Repeats the checks every minute, as signatures expire. */
export const useChecks = (claim: SignedClaim | undefined): Load<Check[]> =>
  useLoad(
    async () => (claim ? checkClaim(claim, api().identityId, now.peek()) : []),
    [claim],
    Math.floor(now.value / minuteMs),
  );

export const ClaimChecks = ({ from }: { from: Load<Check[]> }) => (
  <Loaded from={from} lines={6}>
    {(checks) => (
      <ul class="claim-checks">
        {checks.map(({ about, verdict, value }) => {
          const advice = `${about}-${verdict}`;
          const values = { me: api().identityId, minutes: claimMinutes };
          return (
            <li key={about} class={verdict}>
              <span class="mark" role="img" aria-label={t(verdict)}>
                {marks[verdict]}
              </span>
              <span>
                <b>{t(about, values)}</b>
                <code>{about === 'time' ? dateAndTime(Date.parse(value)) : value}</code>
                {t.has(advice) && <span class="says">{t(advice, values)}</span>}
              </span>
            </li>
          );
        })}
      </ul>
    )}
  </Loaded>
);
