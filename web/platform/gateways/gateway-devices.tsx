import { Card } from '../../parts/card.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { Link } from '../../parts/router.tsx';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../parts/text.ts';
import { deviceTypeWords } from '../devices/device-words.ts';
import { devicesOfGateway } from './devices-of-gateway.ts';

const t = texts({
  en: {
    title: 'Its devices',
    name: 'Name',
    kind: 'Kind',
    site: 'Site',
    hardware: 'Hardware id',
    none: 'No device of it has been added to a site. The platform keeps only what added devices send.',
    add: 'To your sites',
  },
  sv: {
    title: 'Dess enheter',
    name: 'Namn',
    kind: 'Slag',
    site: 'Anläggning',
    hardware: 'Hårdvaru-id',
    none: 'Ingen av dess enheter har lagts till i en anläggning. Plattformen sparar bara det som tillagda enheter skickar.',
    add: 'Till dina anläggningar',
  },
});

type DevicesProps = { serial: string; orgId: string; count: number };

export function GatewayDevices({ serial, orgId, count }: DevicesProps) {
  const loaded = useLoad((signal) => devicesOfGateway({ serial, orgId, count }, signal), [serial, orgId, count]);
  return (
    <Card title={t('title')}>
      <Loaded from={loaded}>
        {(devices) =>
          devices.length === 0 ? (
            <p class="says">
              {t('none')} <Link to="/app/sites">{t('add')}</Link>
            </p>
          ) : (
            <Table
              caption={t('title')}
              rows={devices}
              keyOf={({ id }) => id}
              columns={[
                {
                  title: t('name'),
                  show: ({ id, name, site_id }) => <Link to={`/app/sites/${site_id}/devices/${id}`}>{name}</Link>,
                },
                { title: t('kind'), show: ({ type }) => deviceTypeWords(type) },
                {
                  title: t('site'),
                  show: ({ site_id, siteName }) => <Link to={`/app/sites/${site_id}/devices`}>{siteName}</Link>,
                },
                { title: t('hardware'), show: ({ hardware_id }) => <code>{hardware_id}</code> },
              ]}
            />
          )
        }
      </Loaded>
    </Card>
  );
}
