import { useSignal } from '@preact/signals';
import { addDevice, type DeviceEntry, detectDevice, listDevices } from '#contract/gateway/devices.ts';
import { ActionButton, ActionForm, useAction } from '../../parts/action.tsx';
import { Card } from '../../parts/card.tsx';
import { Field } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { productName, useProfiles } from '../devices.ts';
import { gateway } from '../gateway-api.ts';
import { parameterWords } from '../parameter-words.ts';
import { type Candidate, type Detection, findDeviceAt } from './device-at.ts';

const t = texts({
  title: ['Detect a device', 'Identifiera en enhet'],
  says: [
    'For inverters, meters and batteries with Modbus TCP. Nothing is written to the device.',
    'För växelriktare, elmätare och batterier med Modbus TCP. Inget skrivs till enheten.',
  ],
  port: ['Port (optional)', 'Port (valfritt)'],
  unit: ['Unit ID (optional)', 'Enhets-id (valfritt)'],
  leftEmpty: ['Leave empty to try the usual values.', 'Lämna tomt för att prova de vanliga värdena.'],
  look: ['Detect', 'Identifiera'],
  looking: [
    'Checking {ip}. This can take a minute if the device is slow.',
    'Kontrollerar {ip}. Det kan ta en minut om enheten är långsam.',
  ],
  none: [
    'A device answers at {ip}, but it was not recognised. If you know the product, add it manually.',
    'En enhet svarar på {ip}, men den kunde inte identifieras. Vet du vilken produkt det är kan du lägga till den manuellt.',
  ],
  found: ['Matches, best first', 'Träffar, bästa först'],
  high: ['Certain', 'Säker'],
  medium: ['Likely', 'Trolig'],
  low: ['Possible', 'Möjlig'],
  unitIs: ['Unit {unit}', 'Enhet {unit}'],
  serial: ['serial number {serial}', 'serienummer {serial}'],
  add: ['Add {name}', 'Lägg till {name}'],
  here: ['Already added as {sn}', 'Redan tillagd som {sn}'],
});

/** What answers at an address, and the devices that the gateway already reads. */
type Found = Detection & { devices: DeviceEntry[] };

export function DetectCard({ onAdded }: { onAdded(sn: string): void }) {
  const ip = useSignal('');
  const port = useSignal('');
  const unit = useSignal('');
  const found = useSignal<Found | undefined>(undefined);
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
  const proposals = (found.value ? [found.value] : []).flatMap((at) =>
    at.candidates.map((candidate) => (
      <Proposal key={`${candidate.profile} ${candidate.unit_id}`} found={at} candidate={candidate} onAdded={added} />
    )),
  );
  return (
    <Card title={t('title')} says={t('says')}>
      <ActionForm does={look} submit={t('look')}>
        <Field {...parameterWords('ip')} required value={ip} />
        <Field label={t('port')} says={t('leftEmpty')} type="number" min={1} max={65_535} value={port} />
        <Field label={t('unit')} says={t('leftEmpty')} type="number" min={0} max={255} value={unit} />
        {look.isBusy && <Notice>{t('looking', { ip: ip.value })}</Notice>}
      </ActionForm>
      {found.value?.candidates.length === 0 && <Notice tone="warning">{t('none', { ip: found.value.ip })}</Notice>}
      {proposals.length > 0 && (
        <>
          <h3>{t('found')}</h3>
          <ul class="proposals">{proposals}</ul>
        </>
      )}
    </Card>
  );
}

const tones = { high: 'good', medium: 'warning', low: '' } as const;

type ProposalProps = { found: Found; candidate: Candidate; onAdded(sn: string): void };

/** Offers a product that was recognised at an address. */
function Proposal({ found, candidate, onAdded }: ProposalProps) {
  const { ip, port, devices } = found;
  const { profile, unit_id, confidence, serial, reason } = candidate;
  const here = findDeviceAt(found, candidate, devices);
  const profiles = useProfiles();
  const name = productName(candidate, profiles.value);
  const add = useAction(async () => {
    const { sn } = await gateway.call(addDevice, { body: { type: 'modbus_tcp', ip, port, unit_id, profile } });
    onAdded(sn);
  });
  return (
    <li>
      <div class="actions">
        <b>{name}</b>
        <span class={`tag ${tones[confidence]}`}>{t(confidence)}</span>
      </div>
      <p class="says">
        {[t('unitIs', { unit: unit_id }), ...(serial ? [t('serial', { serial })] : [])].join(', ')}.{' '}
        <span lang="en">{reason}</span>
      </p>
      {here ? (
        <Link to={`/app/devices/${encodeURIComponent(here.sn)}`}>{t('here', { sn: here.sn })}</Link>
      ) : (
        <ActionButton does={add}>{t('add', { name })}</ActionButton>
      )}
    </li>
  );
}
