import { getUsage, type QuotaUsage } from '#contract/cloud/organizations.ts';
import { Card } from '../../parts/card.tsx';
import { number } from '../../parts/format.ts';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { Table } from '../../parts/table.tsx';
import { type Language, texts } from '../../parts/text.ts';
import { api } from '../session.ts';

const words = {
  en: {
    sites: 'Sites',
    gateways: 'Gateways',
    devices: 'Devices, orphaned ones included',
    oauth_clients: 'Applications',
    invitations: 'Open invitations',
    telemetry_bytes_today: 'Readings stored today (UTC), in MB',
  },
  sv: {
    sites: 'Anläggningar',
    gateways: 'Gateways',
    devices: 'Enheter, även föräldralösa',
    oauth_clients: 'Program',
    invitations: 'Öppna inbjudningar',
    telemetry_bytes_today: 'Mätdata sparade i dag (UTC), i MB',
  },
} satisfies Record<Language, Record<string, string>>;

const wordsFor = texts(words);

const t = texts({
  en: {
    title: 'Limits of this platform',
    what: 'What',
    used: 'Used',
    limit: 'Limit',
    says: 'The operator of the platform can raise a limit.',
  },
  sv: {
    title: 'Plattformens gränser',
    what: 'Vad',
    used: 'Använt',
    limit: 'Gräns',
    says: 'Plattformens driftansvarige kan höja en gräns.',
  },
});

/** The name of a quota; one that this page does not know is shown as it is. */
const nameOf = (name: string): string =>
  Object.hasOwn(words.en, name) ? wordsFor(name as keyof typeof words.en) : name;

const shown = ({ name }: QuotaUsage, value: number): string =>
  number(name === 'telemetry_bytes_today' ? Math.round(value / 1_000_000) : value);

/** Shows the usage of each quota of an organization. */
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
