import { addDevice, type detectDevice } from '#contract/gateway/devices.ts';
import type { ReplyOf } from '#contract/route.ts';
import { ActionButton, useAction } from '../../parts/action.tsx';
import { Failed } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { gateway } from '../gateway-api.ts';
import { productName, useProfiles } from '../profiles.ts';

const t = texts({
  en: {
    found: 'What fits, best first',
    high: 'Sure',
    medium: 'Likely',
    low: 'Possible',
    unit: 'Unit {unit}',
    serial: 'serial number {serial}',
    add: 'Add {name}',
  },
  sv: {
    found: 'Det som passar, bäst först',
    high: 'Säker',
    medium: 'Trolig',
    low: 'Möjlig',
    unit: 'Enhet {unit}',
    serial: 'serienummer {serial}',
    add: 'Lägg till {name}',
  },
});

type Found = ReplyOf<typeof detectDevice>;
type Candidate = Found['candidates'][number];
type AddedProps = { onAdded(sn: string): void };

const tones = { high: 'good', medium: 'warning', low: '' } as const;

/** What was recognised at an address, each to be added as it is. */
export function Proposals({ found, onAdded }: { found: Found } & AddedProps) {
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
            onAdded={onAdded}
          />
        ))}
      </ul>
    </>
  );
}

function Proposal({ at: { ip, port }, candidate, onAdded }: { at: Found; candidate: Candidate } & AddedProps) {
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
        {[t('unit', { unit: unit_id }), ...(serial ? [t('serial', { serial })] : [])].join(', ')}. {reason}
      </p>
      {add.problem !== undefined && <Failed problem={add.problem} />}
      <ActionButton does={add}>{t('add', { name })}</ActionButton>
    </li>
  );
}
