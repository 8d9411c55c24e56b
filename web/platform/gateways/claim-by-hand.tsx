import { type Signal, useSignal } from '@preact/signals';
import { claimMinutes } from '#contract/claim.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { Code, CopyButton } from '../../parts/copy.tsx';
import { Field, TextArea } from '../../parts/field.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import type { Signed } from './check-claim.ts';

const t = texts({
  en: {
    one: 'From a device in the network of the gateway, ask it who it is, and for a signature for your identity:',
    two: 'Its own page, at the same address in a browser, can do the same; it asks for your identity:',
    three: 'Then bring its answers here. A signature is good for {minutes} minutes.',
    serial: 'Serial (serialNumber)',
    key: 'Public key (publicKey)',
    message: 'Message (message)',
    messageSays: 'Four parts with | between them, beginning with your identity.',
    signature: 'Signature (sign)',
    check: 'Check it',
  },
  sv: {
    one: 'Fråga gatewayen, från en enhet i dess nät, vem den är och efter en underskrift för din identitet:',
    two: 'Dess egen sida, på samma adress i en webbläsare, kan göra detsamma; den frågar efter din identitet:',
    three: 'Hämta sedan hit dess svar. En underskrift gäller i {minutes} minuter.',
    serial: 'Serienummer (serialNumber)',
    key: 'Publik nyckel (publicKey)',
    message: 'Meddelande (message)',
    messageSays: 'Fyra delar med | emellan, och din identitet först.',
    signature: 'Underskrift (sign)',
    check: 'Granska',
  },
});

const linesFor = (identityId: string): string =>
  [
    'curl http://GATEWAY:8081/api/crypto',
    "curl http://GATEWAY:8081/api/crypto/sign -H 'content-type: application/json' \\",
    `  -d '{"message": "${identityId}"}'`,
  ].join('\n');

/** For a gateway that this page cannot reach: what it answers elsewhere is brought here. */
export function ClaimByHand({ signed }: { signed: Signal<Signed | undefined> }) {
  const serial = useSignal('');
  const publicKey = useSignal('');
  const message = useSignal('');
  const signature = useSignal('');
  const { identityId } = api();
  const check = useAction(async () => {
    signed.value = {
      claim: {
        gateway_serial: serial.value.trim(),
        public_key: publicKey.value.trim(),
        message: message.value.trim(),
        signature: signature.value.trim(),
      },
    };
  });
  return (
    <>
      <p>{t('one')}</p>
      <Code>{linesFor(identityId)}</Code>
      <p>
        {t('two')} <code>{identityId}</code> <CopyButton text={identityId} />
      </p>
      <p>{t('three', { minutes: claimMinutes })}</p>
      <ActionForm does={check} submit={t('check')}>
        <Field label={t('serial')} value={serial} placeholder="ohm-0123456789abcdef" required />
        <TextArea label={t('key')} value={publicKey} rows={2} />
        <TextArea label={t('message')} says={t('messageSays')} value={message} rows={2} />
        <TextArea label={t('signature')} value={signature} rows={2} />
      </ActionForm>
    </>
  );
}
