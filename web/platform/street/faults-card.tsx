import { type FaultKind, playFault, type Simulation } from '#contract/simulation.ts';
import { Card } from '../../parts/card.tsx';
import { Failed } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { simulation } from '../simulation.ts';
import { useChoices } from './use-choices.ts';

const t = texts({
  en: {
    title: 'Break a wire',
    says: 'The gateway meets it as it would meet it in a real house: no wrong value appears, and what is missing is shown as missing.',
    none: 'Works',
    silence: 'Silent',
    late: 'Two seconds late',
    'wrong-unit': 'Answers for another unit',
    'wrong-transaction': 'Answers another question',
    exception: 'Refuses',
    'cut-frame': 'Only half an answer',
    'bit-flip': 'One wrong bit',
    garbage: 'Garbage',
    close: 'Hangs up',
    flood: 'Says everything many times',
    on: 'over {wire}',
  },
  sv: {
    title: 'Bryt en ledning',
    says: 'Gatewayen möter det som i ett riktigt hus: inget fel värde dyker upp, och det som saknas visas som saknat.',
    none: 'Fungerar',
    silence: 'Tyst',
    late: 'Två sekunder sent',
    'wrong-unit': 'Svarar för en annan enhet',
    'wrong-transaction': 'Svarar på en annan fråga',
    exception: 'Vägrar',
    'cut-frame': 'Bara ett halvt svar',
    'bit-flip': 'En felaktig bit',
    garbage: 'Skräp',
    close: 'Lägger på',
    flood: 'Säger allt många gånger',
    on: 'över {wire}',
  },
});

type Device = Simulation['devices'][number];

export function FaultsCard({ devices }: { devices: readonly Device[] }) {
  return (
    <Card title={t('title')} class="wide">
      <p class="says">{t('says')}</p>
      <ul class="faults">
        {devices.map((device) => (
          <li key={device.sn}>
            <FaultChoice device={device} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function FaultChoice({ device }: { device: Device }) {
  const { sn, name, connection, fault, faults } = device;
  const { chosen, problem, choose } = useChoices(async (body: { fault: FaultKind | null }) => {
    simulation.value = await api().call(playFault, { params: { sn }, body });
  });
  const shown = chosen.fault === undefined ? fault : chosen.fault;
  return (
    <>
      <span>
        <b>{name}</b> <span class="says">{t('on', { wire: connection })}</span>
      </span>
      <select
        aria-label={name}
        value={shown ?? ''}
        class={shown ? 'broken' : undefined}
        onChange={(event) => choose({ fault: (event.currentTarget.value || null) as FaultKind | null })}
      >
        <option value="">{t('none')}</option>
        {faults.map((kind) => (
          <option key={kind} value={kind}>
            {t(kind)}
          </option>
        ))}
      </select>
      {problem !== undefined && <Failed problem={problem} />}
    </>
  );
}
