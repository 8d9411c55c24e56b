import { type Signal, useSignal } from '@preact/signals';
import { claimMinutes } from '#contract/claim.ts';
import { signMessage } from '#contract/gateway/identity.ts';
import { getStatus } from '#contract/gateway/status.ts';
import { Problem } from '#contract/problem.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { Code, CopyableId } from '../../parts/copy.tsx';
import { choicesOf, Field, Segments } from '../../parts/field.tsx';
import { Notice } from '../../parts/layout.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import type { SignedGatewayClaim } from './check-claim.ts';
import { findGateway, lastAddress } from './local-gateway.ts';

const t = texts({
  ask: 'Ask the gateway',
  address: 'Gateway address',
  tokenSays: 'In the file local-token in the gateway’s data folder. Sent only to the gateway and not saved.',
  sign: 'Request signature',
  again: 'Request new signature',
  found: 'Gateway {serial} ({name}) at {url} has signed.',
  one: 'From a computer on the gateway’s network, ask it for its identity and a signature for your ID:',
  two: 'Or open the gateway’s own page in a browser and enter your ID there:',
  three: 'Then paste the answers here. A signature is valid for {minutes} minutes.',
  serial: 'Serial number (serialNumber)',
  key: 'Public key (publicKey)',
  message: 'Message (message)',
  messageSays: 'Four parts separated by |, starting with your ID.',
  signature: 'Signature (sign)',
  check: 'Check',
});

const signCommands = (identityId: string): string =>
  [
    'curl http://GATEWAY:8081/api/crypto',
    "curl http://GATEWAY:8081/api/crypto/sign -H 'content-type: application/json' \\",
    `  -d '{"message": "${identityId}"}'`,
  ].join('\n');

/** For a gateway that this page cannot reach: the person pastes its answers. */
function ManualClaim({ signed }: { signed: Signal<SignedGatewayClaim | undefined> }) {
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
      <Code>{signCommands(identityId)}</Code>
      <p>
        {t('two')} <CopyableId id={identityId} />
      </p>
      <p>{t('three', { minutes: claimMinutes })}</p>
      <ActionForm does={check} submit={t('check')}>
        <Field label={t('serial')} value={serial} placeholder="ohm-0123456789abcdef" required />
        <Field label={t('key')} value={publicKey} rows={2} />
        <Field label={t('message')} says={t('messageSays')} value={message} rows={2} />
        <Field label={t('signature')} value={signature} rows={2} />
      </ActionForm>
    </>
  );
}

/** Gets a signed claim, from the gateway or from the person. */
export function ClaimSource({ signed }: { signed: Signal<SignedGatewayClaim | undefined> }) {
  const how = useSignal<'ask' | 'manual'>('ask');
  return (
    <>
      <Segments label={t('method')} value={how} choices={choicesOf(['ask', 'manual'], t)} />
      {how.value === 'ask' ? <AskGateway signed={signed} /> : <ManualClaim signed={signed} />}
    </>
  );
}

/** Asks the gateway at an address to sign a claim for the person. */
export async function signedClaimFrom(address: string, token: string): Promise<SignedGatewayClaim> {
  const { url, call, serial, publicKey, name } = await findGateway(address, token);
  const { message, sign } = await call(signMessage, { body: { message: api().identityId } });
  const { uplink } = await call(getStatus);
  return {
    claim: { gateway_serial: serial, public_key: publicKey, message, signature: sign },
    from: { url, name, isConnected: uplink.connected },
  };
}

function AskGateway({ signed }: { signed: Signal<SignedGatewayClaim | undefined> }) {
  const address = useSignal(lastAddress());
  const token = useSignal('');
  const ask = useAction(async () => {
    signed.value = undefined;
    signed.value = await signedClaimFrom(address.value, token.value.trim());
  });
  const needsToken = ask.problem instanceof Problem && ask.problem.code === 'unauthenticated';
  const { claim, from } = signed.value ?? {};
  return (
    <ActionForm does={ask} submit={t(claim ? 'again' : 'sign')}>
      <Field label={t('address')} says={t('localAddressSays')} value={address} required />
      {(needsToken || token.value !== '') && (
        <Field label={t('localToken')} says={t('tokenSays')} value={token} type="password" />
      )}
      {claim && from && (
        <Notice tone="good">{t('found', { url: from.url, name: from.name, serial: claim.gateway_serial })}</Notice>
      )}
    </ActionForm>
  );
}
