import { useSignal } from '@preact/signals';
import { claimMinutes } from '#contract/claim.ts';
import { getCrypto, signMessage } from '#contract/gateway/identity.ts';
import type { ReplyOf } from '#contract/route.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { Field } from '../../parts/field.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { Notice } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';
import { ToCopy } from './to-copy.tsx';

const t = texts({
  en: {
    title: 'Claim this gateway',
    says: 'The platform believes that a gateway is yours when the gateway itself signs for you. Only somebody in its network can ask for that.',
    one: 'On the platform, choose “Claim a gateway”, by hand, and copy your identity from there.',
    two: 'Put it here and let the gateway sign.',
    three: 'Copy these to the platform. The signature is good for {minutes} minutes, and once.',
    serial: 'Serial',
    key: 'Public key',
    claimer: 'Your identity on the platform',
    sign: 'Sign for it',
    again: 'Sign again',
    message: 'Message',
    signature: 'Signature',
    signed: 'Signed for {claimer}.',
  },
  sv: {
    title: 'Ta över gatewayen',
    says: 'Plattformen tror på att en gateway är din när gatewayen själv skriver under för dig. Det kan bara den be om som är i dess nät.',
    one: 'Välj ”Ta över en gateway”, för hand, på plattformen och kopiera din identitet därifrån.',
    two: 'Klistra in den här och låt gatewayen skriva under.',
    three: 'Kopiera de här till plattformen. Underskriften gäller i {minutes} minuter, och en gång.',
    serial: 'Serienummer',
    key: 'Publik nyckel',
    claimer: 'Din identitet på plattformen',
    sign: 'Skriv under för den',
    again: 'Skriv under igen',
    message: 'Meddelande',
    signature: 'Underskrift',
    signed: 'Underskrivet för {claimer}.',
  },
});

type Identity = ReplyOf<typeof getCrypto>;

export function ClaimCard() {
  const identity = useLoad((signal) => gateway.call(getCrypto, { signal }), []);
  return (
    <Card title={t('title')} class="wide">
      <p class="says">{t('says')}</p>
      <Loaded from={identity}>{(known) => <Steps identity={known} />}</Loaded>
    </Card>
  );
}

function Steps({ identity }: { identity: Identity }) {
  const claimer = useSignal('');
  const signed = useSignal<{ claimer: string; message: string; sign: string } | undefined>(undefined);
  const sign = useAction(async () => {
    const message = claimer.value.trim();
    signed.value = { claimer: message, ...(await gateway.call(signMessage, { body: { message } })) };
  });
  return (
    <ol class="steps">
      <li>{t('one')}</li>
      <li>
        {t('two')}
        <ActionForm does={sign} submit={t(signed.value ? 'again' : 'sign')}>
          <Field label={t('claimer')} placeholder="idt-…" required maxLength={511} pattern="[^\|]+" value={claimer} />
        </ActionForm>
      </li>
      <li>
        {t('three', { minutes: claimMinutes })}
        {signed.value && <Notice tone="good">{t('signed', { claimer: signed.value.claimer })}</Notice>}
        <ToCopy label={t('serial')} text={identity.serialNumber} />
        <ToCopy label={t('key')} text={identity.publicKey} />
        {signed.value && <ToCopy label={t('message')} text={signed.value.message} />}
        {signed.value && <ToCopy label={t('signature')} text={signed.value.sign} />}
      </li>
    </ol>
  );
}
