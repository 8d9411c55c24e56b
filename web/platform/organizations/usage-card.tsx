import { getUsage, type QuotaUsage } from '#contract/cloud/organizations.ts';
import { Card } from '../../parts/card.tsx';
import { number } from '../../parts/format.ts';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { Table } from '../../parts/table.tsx';
import { type Language, texts } from '../../parts/text.ts';
import { hasKey } from '../has-key.ts';
import { api } from '../session.ts';

const t = texts({
  en: {
    title: 'Usage and limits',
    what: 'Resource',
    used: 'Used',
    limit: 'Limit',
    says: 'The platform operator can raise these limits.',
  },
  sv: {
    title: 'Användning och gränser',
    what: 'Resurs',
    used: 'Använt',
    limit: 'Gräns',
    says: 'Plattformens driftansvariga kan höja gränserna.',
  },
});

const words = {
  en: {
    sites: 'Sites',
    gateways: 'Gateways',
    devices: 'Devices, including those without a gateway',
    oauth_clients: 'Applications',
    invitations: 'Pending invitations',
    telemetry_bytes_today: 'Telemetry stored today, UTC (MB)',
  },
  sv: {
    sites: 'Anläggningar',
    gateways: 'Gateways',
    devices: 'Enheter, även de utan gateway',
    oauth_clients: 'Appar',
    invitations: 'Väntande inbjudningar',
    telemetry_bytes_today: 'Mätdata sparade i dag, UTC (MB)',
  },
} satisfies Record<Language, Record<string, string>>;

const quotaText = texts(words);

/** Returns the name of a quota; unknown quotas are shown verbatim. */
const nameOf = (name: string): string => (hasKey(words.en, name) ? quotaText(name) : name);

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
              { title: t('what'), show: ({ name }) => nameOf(name) },
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
