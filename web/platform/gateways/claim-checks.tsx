import { claimMinutes } from '#contract/claim.ts';
import type { SignedClaim } from '#contract/cloud/gateways.ts';
import { minuteMs } from '#contract/time.ts';
import { dateAndTime } from '../../parts/format.ts';
import { type Load, Loaded, useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { type Check, checkClaim } from './check-claim.ts';

const t = texts({
  en: {
    good: 'Right',
    bad: 'Wrong',
    open: 'The platform decides',
    form: 'The message has its four parts',
    claimer: 'It is for you',
    nonce: 'It carries a number that is used once',
    time: 'It was signed within the last {minutes} minutes',
    serial: 'It is of this gateway',
    key: 'The key is a P-256 key',
    binding: 'The serial is made from the key, so nobody else can have it',
    signature: 'The signature is by this key over this message (ES256, checked in this browser)',
  },
  sv: {
    good: 'Rätt',
    bad: 'Fel',
    open: 'Plattformen avgör',
    form: 'Meddelandet har sina fyra delar',
    claimer: 'Det gäller dig',
    nonce: 'Det bär ett tal som används en gång',
    time: 'Det skrevs under de senaste {minutes} minuterna',
    serial: 'Det är den här gatewayens',
    key: 'Nyckeln är en P-256-nyckel',
    binding: 'Serienumret är gjort av nyckeln, så ingen annan kan ha det',
    signature: 'Underskriften är gjord med nyckeln över meddelandet (ES256, kontrollerat i webbläsaren)',
  },
});

const fixes = {
  en: {
    'form-bad': 'The message must be <identity>|<nonce>|<time>|<serial>. Copy it whole, as the gateway gave it.',
    'claimer-bad': 'It is for somebody else. Let the gateway sign for your identity: {me}',
    'nonce-open': 'The platform takes each number once. When it was used before, let the gateway sign again.',
    'time-bad':
      'It is more than {minutes} minutes from now. Let the gateway sign again; if that does not help, set its clock and that of this device.',
    'serial-bad': 'The message names another gateway than the serial. Take both from the same gateway.',
    'key-bad': 'This is no P-256 public key. Copy publicKey of the gateway whole: 128 hex digits.',
    'binding-open':
      'The serial is not made from the key. The platform takes the key it knows for it, or the first it sees.',
    'signature-bad':
      'The signature is not by this key over this message. Copy message and sign from one and the same answer.',
  },
  sv: {
    'form-bad':
      'Meddelandet ska vara <identitet>|<nonce>|<tid>|<serienummer>. Kopiera det helt, som gatewayen gav det.',
    'claimer-bad': 'Det gäller någon annan. Låt gatewayen skriva under för din identitet: {me}',
    'nonce-open': 'Plattformen tar varje tal en gång. Om det redan är använt, låt gatewayen skriva under igen.',
    'time-bad':
      'Det är mer än {minutes} minuter bort. Låt gatewayen skriva under igen; om det inte hjälper, ställ dess klocka och enhetens.',
    'serial-bad': 'Meddelandet nämner en annan gateway än serienumret. Ta båda från samma gateway.',
    'key-bad': 'Det är ingen publik P-256-nyckel. Kopiera gatewayens publicKey helt: 128 hexadecimala tecken.',
    'binding-open':
      'Serienumret är inte gjort av nyckeln. Plattformen tar den nyckel den känner till för det, eller den första den ser.',
    'signature-bad':
      'Underskriften är inte gjord med nyckeln över meddelandet. Kopiera message och sign från ett och samma svar.',
  },
};

const fixWords = texts(fixes);

const marks = { good: '✓', bad: '✗', open: '?' } as const;

/** Checked anew every minute: a signature grows old while somebody reads. */
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
              <FixOf {...check} />
            </span>
          </li>
        ))}
      </ul>
    )}
  </Loaded>
);

function FixOf({ about, verdict }: Check) {
  const words = `${about}-${verdict}`;
  if (!Object.hasOwn(fixes.en, words)) return null;
  const values = { me: api().identityId, minutes: claimMinutes };
  return <span class="says">{fixWords(words as keyof typeof fixes.en, values)}</span>;
}
