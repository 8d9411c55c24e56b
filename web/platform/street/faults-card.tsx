import { type FaultKind, playFault, type Simulation } from '#contract/simulation.ts';
import { Card } from '../../parts/card.tsx';
import { Failed } from '../../parts/notice.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { simulation } from '../simulation.ts';
import { useSimulationChange } from './use-simulation-change.ts';

const t = texts({
  title: ['Simulate faults', 'Simulera fel'],
  says: [
    'See how the gateway handles communication faults. It never shows a wrong value; missing data is shown as missing.',
    'Se hur gatewayen hanterar kommunikationsfel. Den visar aldrig ett felaktigt värde; data som saknas visas som saknade.',
  ],
  none: ['No fault', 'Inget fel'],
  silence: ['No response', 'Inget svar'],
  late: ['Response two seconds late', 'Svar två sekunder för sent'],
  'wrong-unit': ['Wrong unit ID', 'Fel enhets-ID'],
  'wrong-transaction': ['Wrong transaction ID', 'Fel transaktions-ID'],
  exception: ['Exception response', 'Felsvar'],
  'cut-frame': ['Truncated frame', 'Avkortad ram'],
  'bit-flip': ['Single-bit error', 'Enstaka bitfel'],
  garbage: ['Random data', 'Slumpdata'],
  close: ['Connection closed', 'Anslutningen stängs'],
  flood: ['Repeated responses', 'Upprepade svar'],
  on: ['via {wire}', 'via {wire}'],
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
  const { chosen, problem, choose } = useSimulationChange(async (body: { fault: FaultKind | null }) => {
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
        onChange={({ currentTarget: { value } }) => choose({ fault: faults.find((kind) => kind === value) ?? null })}
      >
        <option value="">{t('none')}</option>
        {faults.map((kind) => (
          <option key={kind} value={kind}>
            {t(kind)}
          </option>
        ))}
      </select>
      <Failed problem={problem} />
    </>
  );
}
