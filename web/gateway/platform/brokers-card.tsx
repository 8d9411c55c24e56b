import { useSignal } from '@preact/signals';
import { clearMqttConfig, getMqttConfig, setMqttConfig } from '#contract/gateway/system.ts';
import type { ReplyOf } from '#contract/route.ts';
import { ActionForm, ConfirmButton, useAction } from '../../parts/action.tsx';
import { Field } from '../../parts/field.tsx';
import { Card } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';
import { watchRestart } from '../restart.tsx';

const t = texts({
  title: ['MQTT brokers', 'MQTT-brokrar'],
  says: [
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

type Brokers = ReplyOf<typeof getMqttConfig>;

export function BrokersCard() {
  const brokers = useLoad((signal) => gateway.call(getMqttConfig, { signal }), []);
  return (
    <Card title={t('title')} says={t('says')}>
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
