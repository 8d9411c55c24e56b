import { addDevice, type DeviceEntry } from '#contract/gateway/devices.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { Failed } from '../../parts/notice.tsx';
import { Link } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';
import { productName, useProfiles } from '../profiles.ts';
import { type Candidate, type Detection, deviceAt } from './device-at.ts';

const t = texts({
  en: {
    found: 'What fits, best first',
    high: 'Sure',
    medium: 'Likely',
    low: 'Possible',
    unit: 'Unit {unit}',
    serial: 'serial number {serial}',
    add: 'Add {name}',
    here: 'Added before, as {sn}',
  },
  sv: {
    found: 'Det som passar, bäst först',
    high: 'Säker',
    medium: 'Trolig',
    low: 'Möjlig',
    unit: 'Enhet {unit}',
    serial: 'serienummer {serial}',
    add: 'Lägg till {name}',
    here: 'Redan tillagd, som {sn}',
  },
});

type ProposalsProps = {
  found: Detection;
  /** what the gateway reads already */
  devices: readonly DeviceEntry[];
  onAdded(sn: string): void;
};

const tones = { high: 'good', medium: 'warning', low: '' } as const;

/** What was recognised at an address, each to be added as it is. */
export function Proposals({ found, devices, onAdded }: ProposalsProps) {
  if (found.candidates.length === 0) return null;
  return (
    <>
      <h3>{t('found')}</h3>
      <ul class="proposals">
        {found.candidates.map((candidate) => (
          <Proposal
            key={`${candidate.profile} ${candidate.unit_id}`}
            at={found}
            candidate={candidate}
            here={deviceAt(found, candidate, devices)}
            onAdded={onAdded}
          />
        ))}
      </ul>
    </>
  );
}

type ProposalProps = Pick<ProposalsProps, 'onAdded'> & {
  at: Detection;
  candidate: Candidate;
  here: DeviceEntry | undefined;
};

function Proposal({ at: { ip, port }, candidate, here, onAdded }: ProposalProps) {
  const { profile, unit_id, confidence, serial, reason } = candidate;
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
        {[t('unit', { unit: unit_id }), ...(serial ? [t('serial', { serial })] : [])].join(', ')}.{' '}
        <span lang="en">{reason}</span>
      </p>
      {add.problem !== undefined && <Failed problem={add.problem} />}
      {here ? (
        <Link to={`/app/devices/${encodeURIComponent(here.sn)}`}>{t('here', { sn: here.sn })}</Link>
      ) : (
        <ActionButton does={add}>{t('add', { name })}</ActionButton>
      )}
    </li>
  );
}
