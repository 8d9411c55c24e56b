import { type Gateway, releaseGateway } from '#contract/cloud/gateways.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { number } from '../../parts/format.ts';
import { useLoad } from '../../parts/load.tsx';
import { go } from '../../parts/router.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { devicesOfGateway } from './devices-of-gateway.ts';

const t = texts({
  en: {
    title: 'Release {serial}',
    says: 'It then belongs to nobody, and its connection to the platform ends. Whoever gets a signature from it may claim it; its key stays bound to its serial.',
    none: 'No device depends on it.',
    orphans:
      '{count} devices become orphaned: they keep their history, and nothing new comes. Claimed again, each can be added again and goes on where it was.',
    submit: 'Release it',
  },
  sv: {
    title: 'Släpp {serial}',
    says: 'Den tillhör sedan ingen, och dess anslutning till plattformen upphör. Den som får en underskrift av den kan ta över den; dess nyckel förblir bunden till serienumret.',
    none: 'Ingen enhet är beroende av den.',
    orphans:
      '{count} enheter blir föräldralösa: de behåller sin historik, och inget nytt kommer. Tas gatewayen över igen kan var och en läggas till igen och fortsätta där den var.',
    submit: 'Släpp den',
  },
});

/** Asks, with what the release orphans. */
export function ReleaseGateway({ gateway, onClose }: { gateway: Gateway; onClose(): void }) {
  const { gateway_serial: serial, org_id: orgId, device_count: count } = gateway;
  const devices = useLoad((signal) => devicesOfGateway({ serial, orgId, count }, signal), [serial]);
  const release = async (): Promise<void> => {
    await api().call(releaseGateway, { params: { serial } });
    go('/app/gateways');
  };
  return (
    <Confirm title={t('title', { serial })} submit={t('submit')} work={release} onClose={onClose}>
      <p>{t('says')}</p>
      <p>{count === 0 ? t('none') : t('orphans', { count: number(count) })}</p>
      <ul>
        {devices.value?.map(({ id, name, siteName }) => (
          <li key={id}>
            {name}, {siteName}
          </li>
        ))}
      </ul>
    </Confirm>
  );
}
