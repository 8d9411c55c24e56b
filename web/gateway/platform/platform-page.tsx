import { useSignal } from '@preact/signals';
import { clearMqttConfig, getMqttConfig, setMqttConfig } from '#contract/gateway/system.ts';
import type { ReplyOf } from '#contract/route.ts';
import { ActionForm, ConfirmButton, useAction } from '../../parts/action.tsx';
import { Field } from '../../parts/field.tsx';
import { watchRestart } from '../restart.tsx';
import { ClaimCard } from './claim-card.tsx';
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
  says: [
    'Where measurements are sent, and who owns the gateway.',
    'Vart mätvärdena skickas och vem som äger gatewayen.',
  ],
  uplink: ['Connection to the platform', 'Anslutning till plattformen'],
  awaySays: [
    'The gateway keeps trying to connect. New measurements are stored on disk until then.',
    'Gatewayen fortsätter att försöka ansluta. Nya mätvärden sparas på disken under tiden.',
  ],
  noneSays: [
    'No MQTT broker is configured. Claim the gateway on a platform, then enter the MQTT broker of that platform here.',
    'Ingen MQTT-broker är konfigurerad. Ta över gatewayen på en plattform och ange sedan plattformens MQTT-broker här.',
  ],
  waiting: ['Samples waiting', 'Väntande mätvärden'],
  onDisk: ['{size} on disk', '{size} på disken'],
  broker: ['MQTT broker', 'MQTT-broker'],
  oldest: ['Oldest sample', 'Äldsta mätvärde'],
  last: ['Last acknowledged', 'Senast bekräftat'],
  number: ['no. {seq},', 'nr {seq},'],
  dropped: ['Discarded', 'Kasserade'],
  thinned: ['Reduced to one-minute averages', 'Omräknade till minutmedelvärden'],
  samples: ['{count} samples', '{count} mätvärden'],
  signatures: ['Signature log', 'Signaturlogg'],
  none: ['No signatures yet.', 'Inga signaturer ännu.'],
  signaturesSay: [
    'If you do not recognise an entry, someone else has had access to your network.',
    'Om du inte känner igen en rad har någon annan haft tillgång till ditt nätverk.',
  ],
  from: ['Requested from', 'Begärd från'],
  brokers: ['MQTT brokers', 'MQTT-brokrar'],
  brokersSay: [
    'These brokers override those in the configuration. The gateway restarts to use them.',
    'Dessa går före brokrarna i konfigurationen. Gatewayen startar om för att använda dem.',
  ],
  first: ['Platform broker', 'Plattformens broker'],
  firstSays: [
    'mqtts://host:port. Leave empty to use the configuration. *** stands for a stored password.',
    'mqtts://värd:port. Lämna tomt för att använda konfigurationen. *** står för ett sparat lösenord.',
  ],
  second: ['Fallback broker', 'Reservbroker'],
  save: ['Save and restart', 'Spara och starta om'],
  clear: ['Clear both', 'Rensa båda'],
  sure: ['Use the brokers in the configuration?', 'Använda brokrarna i konfigurationen?'],
  sureSays: [
    'The brokers entered here are deleted, and the gateway restarts.',
    'Brokrarna som angetts här tas bort och gatewayen startar om.',
  ],
});

export default function PlatformPage() {
  const status = usePoll((signal) => gateway.call(getStatus, { signal }));
  return (
    <>
      <PageHead title={t('platform')} says={t('says')} />
      <div class="cards">
        <Loaded from={status}>{({ uplink }) => <UplinkCard uplink={uplink} />}</Loaded>
        <BrokersCard />
        <ClaimCard />
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
