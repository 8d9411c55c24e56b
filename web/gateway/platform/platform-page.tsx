import { useSignal } from '@preact/signals';
import { clearMqttConfig, getMqttConfig, setMqttConfig } from '#contract/gateway/system.ts';
import type { ReplyOf } from '#contract/route.ts';
import { ActionForm, ConfirmButton, useAction } from '../../parts/action.tsx';
import { Field } from '../../parts/field.tsx';
import { watchRestart } from '../restart.tsx';
import { ClaimCard, ConnectCard } from './claim-card.tsx';
import { ManagementCard } from './management-card.tsx';
import './platform.css';
import { listSignatures } from '#contract/gateway/identity.ts';
import { getStatus, type Status } from '#contract/gateway/status.ts';
import { Age } from '../../parts/age.tsx';
import { Card, Facts, Figure, PageHead } from '../../parts/layout.tsx';
import { Loaded, LoadedTable, useLoad } from '../../parts/load.tsx';
import { bytes, dateAndTime, number, texts } from '../../parts/text.ts';
import { ConnectionTag } from '../device-state.tsx';
import { gateway, toBrowserTime } from '../gateway-api.ts';
import { usePoll } from '../poll.ts';
import { dropWords } from '../uplink-words.ts';

const t = texts({
  says: 'Where measurements are sent, and who owns the gateway.',
  uplink: 'Connection to the platform',
  awaySays: 'The gateway keeps trying to connect. New measurements are stored on disk until then.',
  noneSays:
    'No MQTT broker is configured. Claim the gateway on a platform, then enter the MQTT broker of that platform here.',
  waiting: 'Samples waiting',
  onDisk: '{size} on disk',
  broker: 'MQTT broker',
  oldest: 'Oldest sample',
  last: 'Last acknowledged',
  number: 'no. {seq},',
  dropped: 'Discarded',
  thinned: 'Reduced to one-minute averages',
  samples: '{count} samples',
  signatures: 'Signature log',
  none: 'No signatures yet.',
  signaturesSay: 'If you do not recognise an entry, someone else has had access to your network.',
  from: 'Requested from',
  brokers: 'MQTT brokers',
  brokersSay: 'These brokers override those in the configuration. The gateway restarts to use them.',
  first: 'Platform broker',
  firstSays: 'mqtts://host:port. Leave empty to use the configuration. *** stands for a stored password.',
  second: 'Fallback broker',
  save: 'Save and restart',
  clear: 'Clear both',
  sure: 'Use the brokers in the configuration?',
  sureSays: 'The brokers entered here are deleted, and the gateway restarts.',
});

export default function PlatformPage() {
  const status = usePoll((signal) => gateway.call(getStatus, { signal }));
  return (
    <>
      <PageHead title={t('platform')} says={t('says')} />
      <div class="cards">
        <Loaded from={status}>
          {(value) => (
            <>
              {(!value.claimed || location.hash.startsWith('#sign=')) && <ConnectCard status={value} />}
              <UplinkCard uplink={value.uplink} />
            </>
          )}
        </Loaded>
        <BrokersCard />
        <ClaimCard />
        <ManagementCard />
        <SignaturesCard />
      </div>
    </>
  );
}

function UplinkCard({ uplink }: { uplink: Status['uplink'] }) {
  const { connected, broker, waiting, bytes: size, oldest, acknowledged, dropped, thinned } = uplink;
  const drops = Object.entries(dropped).map(([reason, count]) => `${number(count)} (${dropWords(reason)})`);
  return (
    <Card title={t('uplink')} beside={broker && <ConnectionTag isConnected={connected} />}>
      {!connected && <p class="says">{t(broker ? 'awaySays' : 'noneSays')}</p>}
      <Figure label={t('waiting')} value={number(waiting)} more={t('onDisk', { size: bytes(size) })} />
      <Facts
        of={[
          [t('broker'), broker],
          [t('oldest'), oldest !== undefined && waiting > 0 ? <Age ms={toBrowserTime(oldest)} /> : undefined],
          [
            t('last'),
            acknowledged && (
              <>
                {t('number', { seq: acknowledged.seq })} <Age ms={toBrowserTime(acknowledged.at)} />
              </>
            ),
          ],
          [t('dropped'), drops.join(', ')],
          [t('thinned'), thinned > 0 ? t('samples', { count: number(thinned) }) : undefined],
        ]}
      />
    </Card>
  );
}

const signaturesMs = 5000;

function SignaturesCard() {
  const load = async (signal: AbortSignal) => (await gateway.call(listSignatures, { signal })).signatures;
  return (
    <Card title={t('signatures')} class="wide" says={t('signaturesSay')}>
      <LoadedTable
        caption={t('signatures')}
        from={usePoll(load, [], signaturesMs)}
        empty={<p class="says">{t('none')}</p>}
        keyOf={({ message }) => message}
        columns={[
          { title: t('time'), show: ({ at }) => dateAndTime(at) },
          { title: t('from'), show: ({ from }) => from },
          { title: t('message'), show: ({ message }) => <code class="signed-text">{message}</code> },
        ]}
      />
    </Card>
  );
}

type Brokers = ReplyOf<typeof getMqttConfig>;

function BrokersCard() {
  const brokers = useLoad((signal) => gateway.call(getMqttConfig, { signal }), []);
  return (
    <Card title={t('brokers')} says={t('brokersSay')}>
      <Loaded from={brokers}>{(known) => <BrokersForm known={known} onChanged={brokers.again} />}</Loaded>
    </Card>
  );
}

function BrokersForm({ known, onChanged }: { known: Brokers; onChanged(): void }) {
  const first = useSignal(known.mqtt_connection_str);
  const second = useSignal(known.mqtt_connection_fallback_str);
  const isSet = known.mqtt_connection_str !== '' || known.mqtt_connection_fallback_str !== '';
  const changed = (): void => {
    onChanged();
    void watchRestart();
  };
  const save = useAction(async () => {
    const body = { mqtt_connection_str: first.value.trim(), mqtt_connection_fallback_str: second.value.trim() };
    await gateway.call(setMqttConfig, { body });
    changed();
  });
  const clear = async (): Promise<void> => {
    await gateway.call(clearMqttConfig);
    first.value = '';
    second.value = '';
    changed();
  };
  const forget = <ConfirmButton label={t('clear')} tone="plain" title={t('sure')} work={clear} says={t('sureSays')} />;
  return (
    <ActionForm does={save} submit={t('save')} beside={isSet && forget}>
      <Field label={t('first')} says={t('firstSays')} value={first} maxLength={1024} />
      <Field label={t('second')} value={second} maxLength={1024} />
    </ActionForm>
  );
}
