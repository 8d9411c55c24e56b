import { getUsage, type QuotaUsage } from '#contract/cloud/organizations.ts';
import { Card } from '../../parts/card.tsx';
import { number } from '../../parts/format.ts';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../parts/text.ts';
import { api } from '../session.ts';

const t = texts({
  title: ['Usage and limits', 'Användning och gränser'],
  what: ['Resource', 'Resurs'],
  used: ['Used', 'Använt'],
  limit: ['Limit', 'Gräns'],
  says: ['The platform operator can raise these limits.', 'Plattformens driftansvariga kan höja gränserna.'],
});

const quotaText = texts({
  sites: ['Sites', 'Anläggningar'],
  gateways: ['Gateways', 'Gateways'],
  devices: ['Devices, including those without a gateway', 'Enheter, även de utan gateway'],
  oauth_clients: ['Applications', 'Appar'],
  invitations: ['Pending invitations', 'Väntande inbjudningar'],
  telemetry_bytes_today: ['Telemetry stored today, UTC (MB)', 'Mätdata sparade i dag, UTC (MB)'],
});

const shown = ({ name }: QuotaUsage, value: number): string =>
  number(name === 'telemetry_bytes_today' ? Math.round(value / 1_000_000) : value);

export function UsageCard({ orgId }: { orgId: string }) {
  const usage = useLoad((signal) => api().call(getUsage, { params: { org_id: orgId }, signal }), [orgId]);
  return (
    <Card title={t('title')}>
      <Loaded from={usage}>
        {(quotas) => (
          <Table
            caption={t('title')}
            rows={quotas}
            keyOf={({ name }) => name}
            columns={[
              { title: t('what'), show: ({ name }) => quotaText.orName(name) },
              { title: t('used'), isNumber: true, show: (quota) => shown(quota, quota.used) },
              { title: t('limit'), isNumber: true, show: (quota) => shown(quota, quota.limit) },
            ]}
          />
        )}
      </Loaded>
      <p class="says">{t('says')}</p>
    </Card>
  );
}
