import { type Signal, useSignal } from '@preact/signals';
import { claimMinutes } from '#contract/claim.ts';
import { signMessage } from '#contract/gateway/identity.ts';
import { getStatus } from '#contract/gateway/status.ts';
import { Problem } from '#contract/problem.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { Code, CopyButton } from '../../parts/copy.tsx';
import { Field, Segments, TextArea } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import type { Signed } from './check-claim.ts';
import { findGateway, inTheHouse, knownAddress } from './local-gateway.ts';

const linesFor = (identityId: string): string =>
  [
    'curl http://GATEWAY:8081/api/crypto',
    "curl http://GATEWAY:8081/api/crypto/sign -H 'content-type: application/json' \\",
    `  -d '{"message": "${identityId}"}'`,
  ].join('\n');

/** For a gateway that this page cannot reach: what it answers elsewhere is brought here. */
function ClaimByHand({ signed }: { signed: Signal<Signed | undefined> }) {
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

const t = texts({
  en: {
    how: 'How to get the signature',
    ask: 'This page asks it',
    hand: 'By hand',
    address: 'Address of the gateway',
    addressSays:
      'http://localhost:8081 when it runs on this device, else its name in the network, as in http://zap-ohm-1234.local:8081. Remembered in this browser.',
    token: 'Its local token',
    tokenSays: 'In the file local-token of its data folder. It is sent to the gateway only, and not kept.',
    sign: 'Ask it to sign',
    again: 'Ask it to sign again',
    found: 'The gateway at {url} is {serial} ({name}), and has signed.',
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
    how: 'Hur underskriften hämtas',
    ask: 'Sidan frågar den',
    hand: 'För hand',
    address: 'Gatewayens adress',
    addressSays:
      'http://localhost:8081 om den körs på den här enheten, annars dess namn i nätet, som http://zap-ohm-1234.local:8081. Sparas i webbläsaren.',
    token: 'Dess lokala token',
    tokenSays: 'I filen local-token i dess datamapp. Den skickas bara till gatewayen och sparas inte.',
    sign: 'Be den skriva under',
    again: 'Be den skriva under igen',
    found: 'Gatewayen på {url} är {serial} ({name}) och har skrivit under.',
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

/** Gets a signed claim from the gateway, over the network or over the person. */
export function ClaimSource({ signed }: { signed: Signal<Signed | undefined> }) {
  const how = useSignal('ask');
  const choices = [
    { value: 'ask', label: t('ask') },
    { value: 'hand', label: t('hand') },
  ];
  return (
    <>
      <Segments label={t('how')} value={how} choices={choices} />
      {how.value === 'ask' ? <AskGateway signed={signed} /> : <ClaimByHand signed={signed} />}
    </>
  );
}

function AskGateway({ signed }: { signed: Signal<Signed | undefined> }) {
  const address = useSignal(knownAddress());
  const token = useSignal('');
  const ask = useAction(async () => {
    signed.value = undefined;
    const { url, api: gateway, serial, publicKey, name } = await findGateway(address.value, token.value.trim());
    const body = { message: api().identityId };
    const { message, sign } = await inTheHouse(url, gateway.call(signMessage, { body }));
    const { uplink } = await inTheHouse(url, gateway.call(getStatus));
    signed.value = {
      claim: { gateway_serial: serial, public_key: publicKey, message, signature: sign },
      from: { url, name, isConnected: uplink.connected },
    };
  });
  const needsToken = ask.problem instanceof Problem && ask.problem.code === 'unauthenticated';
  const { claim, from } = signed.value ?? {};
  return (
    <ActionForm does={ask} submit={t(claim ? 'again' : 'sign')}>
      <Field label={t('address')} says={t('addressSays')} value={address} required />
      {(needsToken || token.value !== '') && (
        <Field label={t('token')} says={t('tokenSays')} value={token} type="password" />
      )}
      {claim && from && (
        <Notice tone="good">{t('found', { url: from.url, name: from.name, serial: claim.gateway_serial })}</Notice>
      )}
    </ActionForm>
  );
}
