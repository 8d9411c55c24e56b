import { listGateways } from '#contract/cloud/gateways.ts';
import { Empty, PageHead, TableCard } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { now } from '../../parts/now.ts';
import { Link, LinkButton, pageUrl } from '../../parts/router.tsx';
import { number, texts } from '../../parts/text.ts';
import { LastSeen, OnlineTag } from '../devices/status-tags.tsx';
import { api } from '../session.ts';
import { organizationNames } from '../site.ts';
import { GatewayView } from './gateway-view.tsx';

const t = texts({
  says: 'A gateway runs in your home, reads your devices and sends their data to the platform.',
  all: 'Your gateways',
  none: 'No gateways yet',
  noneSays: 'Run ohmstead gateway on a computer in your home (see the README), then connect it here.',
  connect: 'Connect a gateway',
});

const refreshMs = 10_000;

export default function GatewaysPage() {
  const chosen = pageUrl.value.searchParams.get('gateway');
  return chosen ? <GatewayView key={chosen} serial={chosen} /> : <GatewayList />;
}

async function loadGateways(signal: AbortSignal) {
  const [gateways, names] = await Promise.all([
    Array.fromAsync(api().pages(listGateways, { signal })),
    organizationNames(signal),
  ]);
  return gateways.map((gateway) => ({ ...gateway, organization: names.get(gateway.org_id) ?? gateway.org_id }));
}

function GatewayList() {
  const loaded = useLoad(loadGateways, [], Math.floor(now.value / refreshMs));
  return (
    <>
      <PageHead title={t('gateways')} says={t('says')}>
        <LinkButton to="/app/gateways/claim" label={t('claimGateway')} />
        <LinkButton tone="main" to="/app/setup?find" label={t('connect')} />
      </PageHead>
      <Loaded from={loaded} empty={<Empty title={t('none')} says={t('noneSays')} />}>
        {(gateways) => (
          <TableCard
            title={t('all')}
            rows={gateways}
            keyOf={({ gateway_serial }) => gateway_serial}
            columns={[
              {
                title: t('serialNumber'),
                show: ({ gateway_serial }) => (
                  <Link to={`/app/gateways?gateway=${encodeURIComponent(gateway_serial)}`}>{gateway_serial}</Link>
                ),
              },
              { title: t('organization'), show: ({ organization }) => organization },
              { title: t('connection'), show: ({ online }) => <OnlineTag isOnline={online} /> },
              { title: t('lastSeen'), show: ({ last_seen }) => <LastSeen at={last_seen} /> },
              { title: t('devices'), isNumber: true, show: ({ device_count }) => number(device_count) },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}
