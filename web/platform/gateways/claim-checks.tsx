import { claimMinutes } from '#contract/claim.ts';
import type { SignedClaim } from '#contract/cloud/gateways.ts';
import { minuteMs } from '#contract/time.ts';
import { dateAndTime } from '../../parts/format.ts';
import { type Load, Loaded, useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { texts } from '../../parts/text.ts';
import { hasKey } from '../has-key.ts';
import { api } from '../session.ts';
import { type Check, checkClaim } from './check-claim.ts';

const t = texts({
  en: {
    good: 'Passed',
    bad: 'Failed',
    open: 'Checked by the platform',
    form: 'The message has four parts',
    claimer: 'Signed for you',
    nonce: 'Single-use number',
    time: 'Signed within the last {minutes} minutes',
    serial: 'From this gateway',
    key: 'Valid P-256 key',
    binding: 'The serial number is derived from the key',
    signature: 'The signature matches the key and the message (ES256, verified in this browser)',
  },
  sv: {
    good: 'Godkänd',
    bad: 'Underkänd',
    open: 'Kontrolleras av plattformen',
    form: 'Meddelandet har fyra delar',
    claimer: 'Signerat för dig',
    nonce: 'Engångsnummer',
    time: 'Signerat inom de senaste {minutes} minuterna',
    serial: 'Från den här gatewayen',
    key: 'Giltig P-256-nyckel',
    binding: 'Serienumret är härlett ur nyckeln',
    signature: 'Signaturen stämmer med nyckeln och meddelandet (ES256, verifierat i webbläsaren)',
  },
});

const advice = {
  en: {
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
  },
  sv: {
    'form-bad': 'Meddelandet ska vara <identitet>|<nonce>|<tid>|<serienummer>. Kopiera hela.',
    'claimer-bad': 'Signerat för någon annan. Låt gatewayen signera för ditt ID: {me}',
    'nonce-open': 'Plattformen godtar varje nummer en gång. Om det redan är använt, låt gatewayen signera igen.',
    'time-bad':
      'Äldre än {minutes} minuter, eller i framtiden. Låt gatewayen signera igen. Om det inte hjälper, kontrollera gatewayens och datorns klocka.',
    'serial-bad': 'Meddelandet kommer från en annan gateway. Använd serienummer och meddelande från samma gateway.',
    'key-bad': 'Ingen publik P-256-nyckel. Kopiera hela publicKey: 128 hexadecimala tecken.',
    'binding-open':
      'Serienumret är inte härlett ur nyckeln. Plattformen kontrollerar det mot den nyckel den känner till, eller godtar den första den ser.',
    'signature-bad': 'Signaturen stämmer inte. Kopiera message och sign från samma svar.',
  },
};

const adviceText = texts(advice);

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
        {checks.map((check) => (
          <li key={check.about} class={check.verdict}>
            <span class="mark" role="img" aria-label={t(check.verdict)}>
              {marks[check.verdict]}
            </span>
            <span>
              <b>{t(check.about, { minutes: claimMinutes })}</b>
              <code>{check.about === 'time' ? dateAndTime(Date.parse(check.value)) : check.value}</code>
              <CheckAdvice {...check} />
            </span>
          </li>
        ))}
      </ul>
    )}
  </Loaded>
);

function CheckAdvice({ about, verdict }: Check) {
  const key = `${about}-${verdict}`;
  if (!hasKey(advice.en, key)) return null;
  const values = { me: api().identityId, minutes: claimMinutes };
  return <span class="says">{adviceText(key, values)}</span>;
}
