import { useSignal } from '@preact/signals';
import { type DeviceEntry, detectDevice, listDevices } from '#contract/gateway/devices.ts';
import { ActionForm, useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { Field } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';
import { parameterWords } from '../parameter-words.ts';
import type { Detection } from './device-at.ts';
import { Proposals } from './proposals.tsx';

const t = texts({
  en: {
    title: 'Find out what answers',
    says: 'For inverters, meters and batteries with Modbus TCP. Nothing is written to the device.',
    port: 'Port, if you know it',
    unit: 'Unit id, if you know it',
    leftEmpty: 'Left empty, the usual ones are tried one after the other.',
    look: 'Look there',
    looking: 'Looking at {ip}. It can take a minute when the device is slow.',
    none: 'Something answers at {ip}, but nothing that this gateway knows. If you know what it is, add it by hand.',
  },
  sv: {
    title: 'Ta reda på vad som svarar',
    says: 'För växelriktare, mätare och batterier med Modbus TCP. Inget skrivs till enheten.',
    port: 'Port, om du vet den',
    unit: 'Enhets-id, om du vet det',
    leftEmpty: 'Lämnas fältet tomt prövas de vanliga i tur och ordning.',
    look: 'Sök där',
    looking: 'Söker på {ip}. Det kan ta en minut om enheten är långsam.',
    none: 'Något svarar på {ip}, men inget som gatewayen känner till. Vet du vad det är kan du lägga till det för hand.',
  },
});

export function FindCard({ onAdded }: { onAdded(sn: string): void }) {
  const ip = useSignal('');
  const port = useSignal('');
  const unit = useSignal('');
  const found = useSignal<(Detection & { devices: DeviceEntry[] }) | undefined>(undefined);
  const look = useAction(async () => {
    found.value = undefined;
    const detected = await gateway.call(detectDevice, {
      body: {
        ip: ip.value.trim(),
        ...(port.value !== '' && { port: Number(port.value) }),
        ...(unit.value !== '' && { unit_id: Number(unit.value) }),
      },
    });
    const { devices } = await gateway.call(listDevices);
    found.value = { ...detected, devices };
  });
  const added = (sn: string): void => {
    found.value = undefined;
    onAdded(sn);
  };
  return (
    <Card title={t('title')}>
      <p class="says">{t('says')}</p>
      <ActionForm does={look} submit={t('look')}>
        <Field label={parameterWords('ip').label} says={parameterWords('ip').says ?? ''} required value={ip} />
        <Field label={t('port')} says={t('leftEmpty')} type="number" min={1} max={65_535} value={port} />
        <Field label={t('unit')} says={t('leftEmpty')} type="number" min={0} max={255} value={unit} />
        {look.isBusy && <Notice>{t('looking', { ip: ip.value })}</Notice>}
      </ActionForm>
      {found.value?.candidates.length === 0 && <Notice tone="warning">{t('none', { ip: found.value.ip })}</Notice>}
      {found.value && <Proposals found={found.value} devices={found.value.devices} onAdded={added} />}
    </Card>
  );
}
