import { claimMinutes } from '#contract/claim.ts';
import type { SignedClaim } from '#contract/cloud/gateways.ts';
import { minuteMs } from '#contract/time.ts';
import { type Load, Loaded, useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { dateAndTime, texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { type Check, checkClaim } from './check-claim.ts';

const t = texts({
  good: ['Passed', 'Godkänd'],
  bad: ['Failed', 'Underkänd'],
  open: ['Checked by the platform', 'Kontrolleras av plattformen'],
  form: ['The message has four parts', 'Meddelandet har fyra delar'],
  claimer: ['Signed for you', 'Signerat för dig'],
  nonce: ['Single-use number', 'Engångsnummer'],
  time: ['Signed within the last {minutes} minutes', 'Signerat inom de senaste {minutes} minuterna'],
  serial: ['From this gateway', 'Från den här gatewayen'],
  key: ['Valid P-256 key', 'Giltig P-256-nyckel'],
  binding: ['The serial number is derived from the key', 'Serienumret är härlett ur nyckeln'],
  signature: [
    'The signature matches the key and the message (ES256, verified in this browser)',
    'Signaturen stämmer med nyckeln och meddelandet (ES256, verifierat i webbläsaren)',
  ],
  // Advice, by the name of a check and its verdict.
  'form-bad': [
    'The message must be <identity>|<nonce>|<time>|<serial>. Copy all of it.',
    'Meddelandet ska vara <identitet>|<nonce>|<tid>|<serienummer>. Kopiera hela.',
  ],
  'claimer-bad': [
    'Signed for someone else. Have the gateway sign for your ID: {me}',
    'Signerat för någon annan. Låt gatewayen signera för ditt ID: {me}',
  ],
  'nonce-open': [
    'The platform accepts each number once. If it has been used, have the gateway sign again.',
    'Plattformen godtar varje nummer en gång. Om det redan är använt, låt gatewayen signera igen.',
  ],
  'time-bad': [
    'More than {minutes} minutes old, or in the future. Have the gateway sign again. If that does not help, check the clocks of the gateway and this computer.',
    'Äldre än {minutes} minuter, eller i framtiden. Låt gatewayen signera igen. Om det inte hjälper, kontrollera gatewayens och datorns klocka.',
  ],
  'serial-bad': [
    'The message is from another gateway. Use the serial number and message of the same gateway.',
    'Meddelandet kommer från en annan gateway. Använd serienummer och meddelande från samma gateway.',
  ],
  'key-bad': [
    'Not a P-256 public key. Copy all of publicKey: 128 hex digits.',
    'Ingen publik P-256-nyckel. Kopiera hela publicKey: 128 hexadecimala tecken.',
  ],
  'binding-open': [
    'The serial number is not derived from the key. The platform checks it against the key it knows, or accepts the first one it sees.',
    'Serienumret är inte härlett ur nyckeln. Plattformen kontrollerar det mot den nyckel den känner till, eller godtar den första den ser.',
  ],
  'signature-bad': [
    'The signature does not match. Copy message and sign from the same response.',
    'Signaturen stämmer inte. Kopiera message och sign från samma svar.',
  ],
});

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
