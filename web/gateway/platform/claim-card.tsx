import { useSignal } from '@preact/signals';
import { claimMinutes } from '#contract/claim.ts';
import { getCrypto, signMessage } from '#contract/gateway/identity.ts';
import type { Status } from '#contract/gateway/status.ts';
import { getSystem } from '#contract/gateway/system.ts';
import type { ReplyOf } from '#contract/route.ts';
import { ActionButton, ActionForm, Button, useAction } from '../../parts/action.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { Field } from '../../parts/field.tsx';
import { Card, Notice } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { QrCode } from '../../parts/qr-code.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';
import { claimLink } from './claim-link.ts';

const t = texts({
  connect: 'Connect to your platform',
  connectSays: 'Opens {host}, where you sign in and this gateway is connected to your home.',
  open: 'Open {host}',
  scan: 'Scan this code with a phone on the same network.',
  code: 'Link that connects this gateway, as a QR code',
  print: 'Print the code',
  approve: 'Connect to {host}?',
  approveSays:
    'The account {claimer} wants to connect this gateway. Continue only if you have just started this there yourself.',
  approveIt: 'Sign and return',
  title: 'Claim this gateway',
  says: 'The gateway proves that it is yours by signing your identity ID. Only someone on its local network can request that.',
  one: 'On the platform, open “Claim a gateway”, choose manual entry and copy your identity ID.',
  two: 'Paste it here and let the gateway sign.',
  three: 'Copy these values to the platform. The signature is valid for {minutes} minutes and can be used once.',
  claimer: 'Your identity ID',
  sign: 'Sign',
  again: 'Sign again',
  signature: 'Signature',
  signed: 'Signed for {claimer}.',
  copy: 'Copy {label}',
});

type Identity = ReplyOf<typeof getCrypto>;

/** Connects the gateway to the platform of its configuration, on the page of that platform. */
export function ConnectCard({ status: { cloud_url, uplink } }: { status: Pick<Status, 'cloud_url' | 'uplink'> }) {
  const asked = useSignal(new URLSearchParams(location.hash.replace(/^#/, '')).get('sign') ?? '');
  const identity = useLoad((signal) => gateway.call(getCrypto, { signal }), []);
  const system = useLoad((signal) => gateway.call(getSystem, { signal }), []);
  const sign = useAction(async () => {
    const { serialNumber: serial, publicKey: key } = await gateway.call(getCrypto);
    const { message, sign: signature } = await gateway.call(signMessage, { body: { message: asked.value } });
    const name = (await gateway.call(getSystem)).gateway_info.name;
    const state = uplink.connected ? { connected: '' } : {};
    // Only to the platform of the configuration: a link from elsewhere cannot have the signature sent to it.
    location.assign(
      `${cloud_url}/app/setup#${new URLSearchParams({ serial, key, message, signature, name, ...state })}`,
    );
  });
  if (!cloud_url) return null;
  const { host } = new URL(cloud_url);
  if (asked.value) {
    return (
      <Card title={t('approve', { host })} class="wide" says={t('approveSays', { claimer: asked.value })}>
        <div class="actions">
          <ActionButton does={sign} label={t('approveIt')} />
        </div>
      </Card>
    );
  }
  const { serialNumber: serial = '' } = identity.value ?? {};
  const query = new URLSearchParams({ at: location.origin, gateway: serial });
  const localIp = system.value?.gateway_info.network.localIP;
  const link = serial && system.value && claimLink({ cloudUrl: cloud_url, page: location.href, serial, localIp });
  return (
    <Card title={t('connect')} class="wide" says={t('connectSays', { host })}>
      <a class="button main" href={`${cloud_url}/app/setup?${query}`}>
        {t('open', { host })}
      </a>
      {link && (
        <div class="claim-code">
          <p>{t('scan')}</p>
          <QrCode text={link} label={t('code')} />
          <p class="says">
            {t('serialNumber')}: <code>{serial}</code>
          </p>
          <div class="actions">
            <Button tone="plain" label={t('print')} onClick={() => print()} />
          </div>
        </div>
      )}
    </Card>
  );
}

export function ClaimCard() {
  const identity = useLoad((signal) => gateway.call(getCrypto, { signal }), []);
  return (
    <Card title={t('title')} class="wide" says={t('says')}>
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
        <CopyField label={t('serialNumber')} text={identity.serialNumber} />
        <CopyField label={t('publicKey')} text={identity.publicKey} />
        {signed.value && <CopyField label={t('message')} text={signed.value.message} />}
        {signed.value && <CopyField label={t('signature')} text={signed.value.sign} />}
      </li>
    </ol>
  );
}

const CopyField = ({ label, text }: { label: string; text: string }) => (
  <div class="to-copy">
    <span class="soft">{label}</span>
    <code>{text}</code>
    <CopyButton text={text} label={t('copy', { label: label.toLocaleLowerCase() })} />
  </div>
);
