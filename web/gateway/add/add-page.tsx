import { ManualCard } from './manual-card.tsx';
import './add.css';
import { useSignal } from '@preact/signals';
import { addDevice, type DeviceEntry, detectDevice, listDevices } from '#contract/gateway/devices.ts';
import { ActionButton, ActionForm, useAction } from '../../parts/action.tsx';
import { Field } from '../../parts/field.tsx';
import { Card, Notice, PageHead } from '../../parts/layout.tsx';
import { Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { productName, useProfiles } from '../devices.ts';
import { gateway } from '../gateway-api.ts';
import { parameterWords } from '../parameter-words.ts';
import { type Candidate, type Detection, findDeviceAt } from './device-at.ts';

const t = texts({
  says: 'The gateway connects to the device, identifies it and reads it once. The device is added only if all of this succeeds.',
  added: '{sn} was added.',
  see: 'View values',
  send: 'Choose what to send to the platform',
  p1Title: 'Add a P1 meter',
  p1Says: 'For the smart meter of the grid company. The gateway detects speed and protocol automatically.',
  listen: 'Listen and add',
  listening: 'Listening. Meters send every 1 to 10 seconds, and several speeds are tried.',
  detect: 'Detect a device',
  detectSays: 'For inverters, meters and batteries with Modbus TCP. Nothing is written to the device.',
  port: 'Port (optional)',
  unit: 'Unit ID (optional)',
  leftEmpty: 'Leave empty to try the usual values.',
  look: 'Detect',
  looking: 'Checking {ip}. This can take a minute if the device is slow.',
  none: 'A device answers at {ip}, but it was not recognised. If you know the product, add it manually.',
  found: 'Matches, best first',
  high: 'Certain',
  medium: 'Likely',
  low: 'Possible',
  unitIs: 'Unit {unit}',
  serial: 'serial number {serial}',
  add: 'Add {name}',
  here: 'Already added as {sn}',
});

export default function AddPage() {
  const added = useSignal<string | undefined>(undefined);
  const onAdded = (sn: string): void => {
    added.value = sn;
    scrollTo(0, 0);
  };
  const path = `/app/devices/${encodeURIComponent(added.value ?? '')}`;
  return (
    <>
      <PageHead title={t('addDevice')} says={t('says')} />
      {added.value && (
        <Notice tone="good">
          <p>{t('added', { sn: added.value })}</p>
          <div class="actions">
            <Link to={path}>{t('see')}</Link>
            <Link to={`${path}/settings`}>{t('send')}</Link>
          </div>
        </Notice>
      )}
      <div class="cards">
        <DetectCard onAdded={onAdded} />
        <P1Card onAdded={onAdded} />
        <ManualCard onAdded={onAdded} />
      </div>
    </>
  );
}

/** Adds a meter by its serial port alone; the manual form has all parameters. */
function P1Card({ onAdded }: { onAdded(sn: string): void }) {
  const line = useSignal('');
  const listen = useAction(async () => {
    const serial_port = line.value.trim();
    const { sn } = await gateway.call(addDevice, { body: { type: 'p1_uart', ...(serial_port && { serial_port }) } });
    onAdded(sn);
  });
  return (
    <Card title={t('p1Title')} says={t('p1Says')}>
      <ActionForm does={listen} submit={t('listen')}>
        <Field {...parameterWords('serial_port')} value={line} />
        {listen.isBusy && <Notice>{t('listening')}</Notice>}
      </ActionForm>
    </Card>
  );
}

/** The products found at an address, and the devices that the gateway already reads. */
type Found = Detection & { devices: DeviceEntry[] };

function DetectCard({ onAdded }: { onAdded(sn: string): void }) {
  const ip = useSignal('');
  const port = useSignal('');
  const unit = useSignal('');
  const look = useAction(async () => {
    const detected = await gateway.call(detectDevice, {
      body: {
        ip: ip.value.trim(),
        ...(port.value !== '' && { port: Number(port.value) }),
        ...(unit.value !== '' && { unit_id: Number(unit.value) }),
      },
    });
    const { devices } = await gateway.call(listDevices);
    return { ...detected, devices };
  });
  const added = (sn: string): void => {
    look.clear();
    onAdded(sn);
  };
  const at = look.result;
  return (
    <Card title={t('detect')} says={t('detectSays')}>
      <ActionForm does={look} submit={t('look')}>
        <Field {...parameterWords('ip')} required value={ip} />
        <Field label={t('port')} says={t('leftEmpty')} type="number" min={1} max={65_535} value={port} />
        <Field label={t('unit')} says={t('leftEmpty')} type="number" min={0} max={255} value={unit} />
        {look.isBusy && <Notice>{t('looking', { ip: ip.value })}</Notice>}
      </ActionForm>
      {at?.candidates.length === 0 && <Notice tone="warning">{t('none', { ip: at.ip })}</Notice>}
      {at && at.candidates.length > 0 && (
        <>
          <h3>{t('found')}</h3>
          <ul class="proposals">
            {at.candidates.map((one) => (
              <Proposal key={`${one.profile} ${one.unit_id}`} found={at} candidate={one} onAdded={added} />
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

const tones = { high: 'good', medium: 'warning', low: '' } as const;

type ProposalProps = { found: Found; candidate: Candidate; onAdded(sn: string): void };

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
        <ActionButton does={add} label={t('add', { name })} />
      )}
    </li>
  );
}
