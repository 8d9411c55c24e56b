import { getSiteSavings } from '#contract/cloud/bill.ts';
import type { SiteDetails } from '#contract/cloud/sites.ts';
import { Card, Figure } from '../../parts/layout.tsx';
import { Loaded, useLoad } from '../../parts/load.tsx';
import { money, texts } from '../../parts/text.ts';
import { api } from '../session.ts';
import { hasKind } from './missing.tsx';
import type { BillPeriod } from './period.ts';

const t = texts({
  title: 'Savings',
  solar: 'Sun',
  battery: 'Battery',
  without: 'The bill would be {amount} without it',
  how: 'The bill is calculated again without the solar energy, and again without the battery.',
});

type SavingsProps = { site: SiteDetails; period: BillPeriod; turn: number };

/** Shows what sun and battery saved; nothing for a site without them. */
export const SavingsCard = (props: SavingsProps) =>
  hasKind(props.site, 'pv') || hasKind(props.site, 'battery') ? <Savings {...props} /> : null;

function Savings({ site, period, turn }: SavingsProps) {
  const params = { site_id: site.id };
  const loaded = useLoad((signal) => api().call(getSiteSavings, { params, query: period.query, signal }), [], turn);
  return (
    <Card title={t('title')}>
      <Loaded from={loaded}>
        {(savings) => (
          <>
            <div class="figures">
              {hasKind(site, 'pv') && <Saved name="solar" {...savings} without={savings.without_solar} />}
              {hasKind(site, 'battery') && <Saved name="battery" {...savings} without={savings.without_battery} />}
            </div>
            <p class="says">{t('how')}</p>
          </>
        )}
      </Loaded>
    </Card>
  );
}

type SavedProps = {
  name: 'solar' | 'battery';
  saved: Record<'solar' | 'battery', number>;
  without: number;
  currency: string;
};

const Saved = ({ name, saved, without, currency }: SavedProps) => (
  <Figure
    label={t(name)}
    value={money(saved[name], currency)}
    more={t('without', { amount: money(without, currency) })}
  />
);
